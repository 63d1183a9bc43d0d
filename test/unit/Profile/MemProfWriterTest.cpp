//===- unit/Profile/MemProfWriterTest.cpp - Our writer beside LLVM's ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemProfWriter.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "llvm/ProfileData/InstrProfReader.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

namespace {

struct AnyContext {
  std::vector<Frame> Frames;
  MemInfoBlock Info;
};

/// Contexts that share callers and callees, with calls that were inlined, also
/// at the root, and recursion.
std::vector<AnyContext> contexts(unsigned Seed) {
  std::mt19937 Random(Seed);
  auto Below = [&](unsigned Limit) { return Random() % Limit; };
  std::vector<AnyContext> Result;
  for (unsigned I = 0; I != 300; ++I) {
    AnyContext &C = Result.emplace_back();
    for (unsigned Depth = 1 + Below(7); Depth; --Depth)
      C.Frames.emplace_back(1 + Below(6), Below(3), Below(2), Below(3) == 0);
    const uint32_t Time = Below(300'000);
    C.Info = MemInfoBlock(1 + Below(100), Below(4), Time, Time + Below(300'000),
                          Below(4), Below(4), 0, 0);
  }
  return Result;
}

HeapProfile heap(ArrayRef<AnyContext> Contexts) {
  HeapProfile P;
  for (const AnyContext &C : Contexts)
    P.addContext(C.Frames, C.Info);
  P.addCallsite(5, {Frame(5, 77, 1, false)}, {9, 8});
  RunInfo Runs = RunInfo::oneRun(Milliseconds(5));
  P.addRuns(Runs);
  return P;
}

/// With counters, and traces, which are behind the memory profile. \p Checksum
/// becomes what its writer says.
std::string written(const HeapProfile &P, IndexedVersion Version,
                    const MemProfSchema &Schema, bool ByOurs,
                    uint64_t *Checksum = nullptr) {
  InstrProfWriter Writer(/*Sparse=*/false, 10, 10, /*WritePrevVersion=*/false,
                         Version, Schema.size() == getFullSchema().size());
  cantFail(Writer.mergeProfileKind(InstrProfKind::MemProf |
                                   InstrProfKind::TemporalProfile));
  if (!ByOurs)
    Writer.addMemProfData(P.tables(Schema),
                          [](Error E) { cantFail(std::move(E)); });
  uint64_t Written = ByOurs ? 0 : checksumOf(P.tables(Schema), Schema);
  Writer.addRecord(NamedInstrProfRecord("f", 0x1234, {1, 2}),
                   [](Error E) { cantFail(std::move(E)); });
  TemporalProfTraceTy Trace;
  Trace.FunctionNameRefs = {1, 2, 3};
  SmallVector<TemporalProfTraceTy> Traces = {Trace};
  Writer.addTemporalProfileTraces(Traces, 1);
  std::string Result;
  raw_string_ostream OS(Result);
  cantFail(Writer.write(OS));
  if (ByOurs)
    Written = replaceMemProf(Result, P, Schema, Version);
  if (Checksum)
    *Checksum = Written;
  return Result;
}

/// The checksum that readers find; nothing if they refuse the file.
std::optional<uint64_t> readChecksum(StringRef File) {
  Expected<std::unique_ptr<IndexedProfile>> Profile =
      IndexedProfile::parse("test", MemoryBuffer::getMemBufferCopy(File));
  Expected<uint64_t> Result =
      Profile ? (*Profile)->checksum() : Profile.takeError();
  if (Result)
    return *Result;
  consumeError(Result.takeError());
  return std::nullopt;
}

/// All that LLVM's reader finds, as text, with lists in one order.
std::string readByLLVM(const std::string &File) {
  std::string Result;
  raw_string_ostream OS(Result);
  auto Reader = cantFail(
      IndexedInstrProfReader::create(MemoryBuffer::getMemBufferCopy(File)));
  for (const NamedInstrProfRecord &R : *Reader)
    OS << R.Name << ' ' << R.Counts.size() << '\n';
  OS << Reader->getTemporalProfTraces().size() << " traces\n";
  if (const auto *Summary = Reader->getMemProfSummary())
    Summary->printSummaryYaml(OS);
  AllMemProfData All = Reader->getAllMemProfData();
  llvm::sort(All.HeapProfileRecords,
             [](const auto &A, const auto &B) { return A.GUID < B.GUID; });
  auto Put = [](ArrayRef<Frame> Frames) {
    std::string Text;
    raw_string_ostream TextOS(Text);
    for (const Frame &F : Frames)
      F.printYAML(TextOS);
    return Text;
  };
  for (const auto &[GUID, Record] : All.HeapProfileRecords) {
    std::vector<std::string> Lines;
    for (const AllocationInfo &Site : Record.AllocSites) {
      raw_string_ostream Line(Lines.emplace_back(Put(Site.CallStack)));
      Site.Info.printYAML(Line);
    }
    for (const CallSiteInfo &Site : Record.CallSites) {
      raw_string_ostream Line(Lines.emplace_back(Put(Site.Frames)));
      for (GlobalValue::GUID Callee : Site.CalleeGuids)
        Line << "callee " << Callee << '\n';
    }
    llvm::sort(Lines);
    OS << GUID << '\n' << join(Lines, "\n");
  }
  return Result;
}

TEST(MemProfWriterTest, LLVMsReaderFindsWhatItsOwnWriterWrites) {
  for (IndexedVersion Version : {Version3, Version4})
    for (const MemProfSchema &Schema : {getFullSchema(), getHotColdSchema()})
      for (unsigned Seed = 0; Seed != 5; ++Seed) {
        const HeapProfile P = heap(contexts(Seed));
        const std::string Theirs = written(P, Version, Schema, false);
        const std::string Ours = written(P, Version, Schema, true);
        EXPECT_EQ(readByLLVM(Theirs), readByLLVM(Ours));
        EXPECT_LE(Ours.size(), Theirs.size());
      }
}

TEST(MemProfWriterTest, TheOrderOfContextsChangesNoByte) {
  for (unsigned Seed = 0; Seed != 5; ++Seed) {
    std::vector<AnyContext> All = contexts(Seed);
    const std::string First =
        written(heap(All), Version4, getFullSchema(), true);
    std::shuffle(All.begin(), All.end(), std::mt19937(Seed));
    EXPECT_EQ(First, written(heap(All), Version4, getFullSchema(), true));
  }
}

TEST(MemProfWriterTest, ReadersFindTheChecksumOfTheWriter) {
  for (IndexedVersion Version : {Version2, Version3, Version4})
    for (const MemProfSchema &Schema : {getFullSchema(), getHotColdSchema()})
      for (unsigned Seed = 0; Seed != 5; ++Seed) {
        uint64_t Checksum = 0;
        const HeapProfile P = heap(contexts(Seed));
        const std::string File =
            written(P, Version, Schema, Version != Version2, &Checksum);
        EXPECT_EQ(readChecksum(File), Checksum);
      }
}

TEST(MemProfWriterTest, TheChecksumDependsOnAllThatTheProfileSays) {
  std::vector<AnyContext> All = contexts(1);
  for (IndexedVersion Version : {Version2, Version3, Version4}) {
    uint64_t Whole = 0, Other = 0;
    auto Write = [&](uint64_t &Checksum) {
      written(heap(All), Version, getFullSchema(), Version != Version2,
              &Checksum);
    };
    Write(Whole);
    auto &[Frames, Info] = All.back();
    ++Info.TotalSize;
    Write(Other);
    EXPECT_NE(Whole, Other);
    --Info.TotalSize;
    ++Frames.back().LineOffset;
    Write(Other);
    EXPECT_NE(Whole, Other);
    --Frames.back().LineOffset;
    Write(Other);
    EXPECT_EQ(Whole, Other);
  }
}

} // namespace
