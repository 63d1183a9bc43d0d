//===- unit/Profile/IndexedProfileTest.cpp - Indexed files, good and bad --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Profiles are written by LLVM's writer from hand-made contexts; damaged copies
// must give errors, never more.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "TemporaryFile.h"
#include "thermocline/Profile/HeapProfile.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;
using thermocline::test::TemporaryFile;

static HeapProfile heap() {
  HeapProfile P;
  for (uint32_t I = 0; I != 5; ++I)
    P.addContext(
        {Frame(10, I, 1, true), Frame(20, 5, 1, false), Frame(30, 9, I, false)},
        MemInfoBlock(64, I, 0, 100, 0, 1, 0, 0));
  // Inlined into itself: LLVM lists it twice in one record.
  P.addContext({Frame(40, 1, 1, true), Frame(40, 2, 1, false)},
               MemInfoBlock(8, 0, 0, 100, 0, 1, 0, 0));
  return P;
}

static std::string written(const HeapProfile &P, IndexedVersion Version,
                           const MemProfSchema &Schema, unsigned Times = 1) {
  InstrProfWriter Writer(/*Sparse=*/false, 0, 0, /*WritePrevVersion=*/false,
                         Version, Schema.size() == getFullSchema().size());
  cantFail(Writer.mergeProfileKind(InstrProfKind::MemProf));
  IndexedMemProfData Tables = P.tables(Schema);
  // The same MIBs again, as a tool lists them that appends records.
  for (auto &[Function, Record] : Tables.Records) {
    const auto Sites = Record.AllocSites;
    for (unsigned I = 1; I != Times; ++I)
      Record.AllocSites.append(Sites);
  }
  Writer.addMemProfData(std::move(Tables),
                        [](Error E) { cantFail(std::move(E)); });
  NamedInstrProfRecord Counters("f", 0x1234, {1, 2});
  Writer.addRecord(std::move(Counters),
                   [](Error E) { cantFail(std::move(E)); });
  std::string Result;
  raw_string_ostream OS(Result);
  cantFail(Writer.write(OS));
  return Result;
}

/// Reads all of a profile; the error, or an empty string.
static std::string readAll(StringRef Contents) {
  TemporaryFile File(Contents);
  Expected<std::unique_ptr<IndexedProfile>> Profile =
      IndexedProfile::open(File.path());
  if (!Profile)
    return toString(Profile.takeError());
  if (Error E = (*Profile)->forEachContext(
          [](const IndexedContext &C) { EXPECT_FALSE(C.Frames.empty()); }))
    return toString(std::move(E));
  Expected<std::vector<GlobalValue::GUID>> Functions = (*Profile)->functions();
  if (!Functions)
    return toString(Functions.takeError());
  for (GlobalValue::GUID Function : *Functions) {
    Expected<MemProfRecord> Record = (*Profile)->record(Function);
    if (!Record)
      return toString(Record.takeError());
  }
  return "";
}

class IndexedProfileVersion : public testing::TestWithParam<IndexedVersion> {};
INSTANTIATE_TEST_SUITE_P(Versions, IndexedProfileVersion,
                         testing::Values(Version2, Version3, Version4));

TEST_P(IndexedProfileVersion, GivesBackWhatWasWritten) {
  HeapProfile P = heap();
  P.addRuns(RunInfo::oneRun(Milliseconds(250)));
  TemporaryFile File(written(P, GetParam(), getFullSchema()));
  auto Profile = IndexedProfile::open(File.path());
  ASSERT_TRUE(static_cast<bool>(Profile)) << toString(Profile.takeError());
  EXPECT_TRUE((*Profile)->hasMemProf());
  EXPECT_TRUE((*Profile)->hasFullSchema());
  EXPECT_EQ((*Profile)->memProfVersion(), GetParam());
  ASSERT_TRUE((*Profile)->runInfo());
  EXPECT_EQ((*Profile)->runInfo()->TotalLength, Milliseconds(250));
  EXPECT_EQ(cantFail((*Profile)->functions()),
            (std::vector<GlobalValue::GUID>{10, 20, 30, 40}));
  unsigned Contexts = 0;
  uint64_t Bytes = 0;
  cantFail((*Profile)->forEachContext([&](const IndexedContext &C) {
    ++Contexts;
    Bytes += C.Info.getTotalSize();
    EXPECT_EQ(C.FullStackId, computeFullStackId(C.Frames));
  }));
  EXPECT_EQ(Contexts, 6u);
  EXPECT_EQ(Bytes, 5 * 64u + 8);
  MemProfRecord Middle = cantFail((*Profile)->record(20));
  EXPECT_EQ(Middle.AllocSites.size(), 5u);
  EXPECT_EQ(Middle.CallSites.size(), 5u);
  EXPECT_TRUE(cantFail((*Profile)->record(99)).AllocSites.empty());
  EXPECT_TRUE(cantFail((*Profile)->record(UINT64_MAX)).AllocSites.empty());

  FrameTable Frames = cantFail((*Profile)->frames());
  const FrameInfo *Info = Frames.lookup(computeStackId(20, 5, 1));
  ASSERT_TRUE(Info);
  EXPECT_EQ(Info->Function, 20u);
  EXPECT_EQ(Info->LineOffset, 5u);
  EXPECT_EQ(Frames.lookup(StackId(UINT64_MAX)), nullptr);
}

TEST_P(IndexedProfileVersion, AppendedMibsAreMerged) {
  TemporaryFile File(written(heap(), GetParam(), getFullSchema(), 3));
  auto Profile = IndexedProfile::open(File.path());
  ASSERT_TRUE(static_cast<bool>(Profile)) << toString(Profile.takeError());
  unsigned Contexts = 0;
  cantFail((*Profile)->forEachContext([&](const IndexedContext &C) {
    ++Contexts;
    EXPECT_EQ(C.Info.getAllocCount(), 3u);
  }));
  EXPECT_EQ(Contexts, 6u);
  EXPECT_EQ(cantFail((*Profile)->record(40)).AllocSites.size(), 1u);
}

TEST_P(IndexedProfileVersion, RunsAreComputedWhereTheyAreNotRecorded) {
  TemporaryFile Full(written(heap(), GetParam(), getFullSchema()));
  auto Profile = cantFail(IndexedProfile::open(Full.path()));
  ASSERT_TRUE(Profile->runInfo());
  EXPECT_EQ(Profile->runInfo()->Origin, RunInfoOrigin::Timestamps);
  EXPECT_EQ(Profile->runInfo()->TotalLength, Milliseconds(100));
  TemporaryFile Small(written(heap(), GetParam(), getHotColdSchema()));
  EXPECT_FALSE(cantFail(IndexedProfile::open(Small.path()))->runInfo());
}

TEST_P(IndexedProfileVersion, RecordedRunsSurviveTheHotColdSchema) {
  HeapProfile P = heap();
  P.addRuns(RunInfo::oneRun(Milliseconds(250)));
  TemporaryFile File(written(P, GetParam(), getHotColdSchema()));
  auto Profile = cantFail(IndexedProfile::open(File.path()));
  ASSERT_TRUE(Profile->runInfo());
  EXPECT_EQ(Profile->runInfo()->meanLengthMs(), 250);
}

TEST_P(IndexedProfileVersion, TruncatedAtAnyLengthIsAnError) {
  const std::string Bytes = written(heap(), GetParam(), getHotColdSchema());
  for (size_t Length = 0; Length < Bytes.size(); Length += 5) {
    TemporaryFile File(StringRef(Bytes).take_front(Length));
    auto Profile = IndexedProfile::open(File.path());
    if (!Profile) {
      std::string Error = toString(Profile.takeError());
      EXPECT_TRUE(StringRef(Error).starts_with(File.path())) << Error;
      continue;
    }
    // What is missing may lie behind everything that is read.
    Error E = (*Profile)->forEachContext([](const IndexedContext &) {});
    consumeError(std::move(E));
  }
}

TEST_P(IndexedProfileVersion, AnyByteChangedIsAnErrorOrAProfile) {
  const std::string Bytes = written(heap(), GetParam(), getHotColdSchema());
  for (size_t I = 0; I < Bytes.size(); ++I) {
    std::string Changed = Bytes;
    Changed[I] ^= I % 2 ? 0xff : 0x80;
    std::string Error = readAll(Changed);
    if (!Error.empty())
      EXPECT_NE(Error.find("profdata: "), std::string::npos) << Error;
  }
}

TEST_P(IndexedProfileVersion, FlagsOfFramesAreChecked) {
  const std::string Bytes = written(heap(), GetParam(), getHotColdSchema());
  unsigned Rejected = 0;
  for (size_t I = 0; I < Bytes.size(); ++I) {
    std::string Changed = Bytes;
    Changed[I] = 2;
    Rejected += StringRef(readAll(Changed)).contains("has a flag that is none");
  }
  EXPECT_GT(Rejected, 0u);
}

TEST_P(IndexedProfileVersion, CountersAreCheckedBeforeTheyAreRead) {
  const std::string Bytes = written(heap(), GetParam(), getHotColdSchema());
  unsigned Readable = 0, Rejected = 0;
  // The header, the summary and the table of functions.
  for (size_t I = 8; I < 900 && I < Bytes.size(); ++I) {
    std::string Changed = Bytes;
    Changed[I] ^= 0x81;
    TemporaryFile File(Changed);
    auto Profile = IndexedProfile::open(File.path());
    if (!Profile) {
      consumeError(Profile.takeError());
      continue;
    }
    auto Reader = (*Profile)->counters();
    ++(Reader ? Readable : Rejected);
    if (!Reader)
      consumeError(Reader.takeError());
  }
  EXPECT_GT(Readable, 0u);
  EXPECT_GT(Rejected, 0u);
}

TEST(IndexedProfileTest, OtherFilesAreErrors) {
  EXPECT_NE(readAll("").find("the file is empty"), std::string::npos);
  EXPECT_NE(readAll("hello, world").find("not an indexed profile"),
            std::string::npos);
  auto Missing = IndexedProfile::open("/nonexistent/file");
  ASSERT_FALSE(static_cast<bool>(Missing));
  EXPECT_EQ(toString(Missing.takeError()),
            "/nonexistent/file: No such file or directory");
}
