//===- unit/Profile/SamplePartTest.cpp - Errors of totals in files --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SamplePart.h"
#include "ProfileParts.h"
#include "TemporaryFile.h"
#include "thermocline/Format/TouchPart.h"
#include "thermocline/Profile/HeapProfile.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Indexed/Merger.h"
#include "llvm/ProfileData/InstrProfWriter.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;
using thermocline::test::TemporaryFile;

static constexpr uint64_t Checksum = 4711;

static std::string parts(const SamplesById &Samples) {
  std::string Result;
  appendSamples(Result, Checksum, Samples);
  return Result;
}

static std::string errorOf(StringRef File, uint64_t Wanted = Checksum) {
  Expected<SamplesById> Read = readSamples(File, Wanted);
  return Read ? "" : toString(Read.takeError());
}

/// What a part with these words is found to be.
static std::string errorOfWords(ArrayRef<uint64_t> Words) {
  std::string Payload, File;
  for (uint64_t Word : Words)
    putWord(Payload, Word);
  appendPart(File, {format::SamplesPart, format::SamplesPartVersion, ""},
             Payload);
  return errorOf(File);
}

TEST(SamplePartTest, GivesBackWhatWasWritten) {
  const SamplesById Samples = {{3, {1, 2, 3}},
                               {UINT64_MAX, {UINT64_MAX, 0, UINT64_MAX}}};
  EXPECT_EQ(cantFail(readSamples(parts(Samples), Checksum)), Samples);
  EXPECT_TRUE(cantFail(readSamples("", Checksum)).empty());
}

TEST(SamplePartTest, RefusesWhatCannotBe) {
  EXPECT_EQ(errorOf(parts({{3, {1, 2, 3}}}), 5),
            "part of samples: the memory profile is not the one that it was "
            "written for; is it damaged?");
  EXPECT_EQ(errorOfWords({Checksum}), "");
  EXPECT_EQ(errorOfWords({Checksum, 7, 1, 1, 1}), "");
  EXPECT_EQ(errorOfWords({Checksum, 7, 1, 1}),
            "part of samples: its contexts do not fill it");
  for (uint64_t Second : {6, 7})
    EXPECT_EQ(errorOfWords({Checksum, 7, 1, 1, 1, Second, 1, 1, 1}),
              "part of samples: context 0x" + std::to_string(Second) +
                  " is not in order");
  const std::string Whole = parts({{3, {1, 2, 3}}});
  for (size_t I = 0; I != Whole.size(); ++I) {
    std::string Changed = Whole;
    Changed[I] ^= 1;
    Expected<SamplesById> Read = readSamples(Changed, Checksum);
    // Without its end, it is not found.
    if (Read)
      EXPECT_TRUE(Read->empty() || *Read == (SamplesById{{3, {1, 2, 3}}})) << I;
    else
      consumeError(Read.takeError());
  }
}

static std::vector<Frame> frames(uint32_t Context) {
  return {Frame(10, Context, 1, false), Frame(20, 5, 1, false)};
}

/// An indexed profile of three contexts, the first of which is known exactly.
static std::string profileOf(uint64_t Run) {
  HeapProfile P;
  for (uint32_t I = 0; I != 3; ++I) {
    P.addContext(frames(I), MemInfoBlock(64, I, 0, 100, 0, 1, 0, 0));
    if (I)
      P.addSamples(frames(I), {10 * I, 100 * Run, 7 * I});
  }
  P.addRuns(RunInfo::oneRun(Milliseconds(100)));
  InstrProfWriter Writer(/*Sparse=*/false, 0, 0, /*WritePrevVersion=*/false,
                         Version4, /*FullSchema=*/true);
  cantFail(Writer.mergeProfileKind(InstrProfKind::MemProf));
  Writer.addMemProfData(P.tables(getFullSchema()),
                        [](Error E) { cantFail(std::move(E)); });
  std::string Result;
  raw_string_ostream OS(Result);
  cantFail(Writer.write(OS));
  auto Profile = cantFail(IndexedProfile::parse(
      "a.profdata", MemoryBuffer::getMemBufferCopy(Result)));
  appendSamples(Result, cantFail(Profile->checksum()), P.samples());
  return Result;
}

/// The merged file.
static std::string
merged(ArrayRef<std::pair<std::string, uint64_t>> FilesAndWeights) {
  Merger Merged{MergeOptions()};
  for (const auto &[Contents, Weight] : FilesAndWeights) {
    TemporaryFile File(Contents);
    cantFail(Merged.add(File.path(), Weight));
  }
  cantFail(Merged.finishInputs());
  cantFail(Merged.decide());
  return cantFail(Merged.write());
}

static ContextSamples read(StringRef File, uint32_t Context) {
  auto Profile = cantFail(IndexedProfile::parse(
      "a.profdata", MemoryBuffer::getMemBufferCopy(File)));
  const SamplesById All = cantFail(Profile->samples());
  auto Known = All.find(computeFullStackId(frames(Context)));
  return Known == All.end() ? ContextSamples() : Known->second;
}

TEST(SamplePartTest, VariancesAddUp) {
  const std::string One = profileOf(1), Two = profileOf(2),
                    Three = profileOf(3);
  const std::string All = merged({{One, 1}, {Two, 1}, {Three, 1}});
  EXPECT_TRUE(read(All, 0).isExact());
  EXPECT_EQ(read(All, 1), (ContextSamples{30, 600, 21}));
  EXPECT_EQ(read(All, 2), (ContextSamples{60, 600, 42}));
  // In any order and shape.
  EXPECT_EQ(merged({{Three, 1}, {merged({{Two, 1}, {One, 1}}), 1}}), All);
  EXPECT_EQ(merged({{All, 1}}), All);
}

TEST(SamplePartTest, TheSameOnceMoreTellsNothingNew) {
  const std::string One = profileOf(1);
  const ContextSamples Is = read(merged({{One, 3}}), 1);
  EXPECT_EQ(Is, (ContextSamples{30, 900, 63}));
  EXPECT_EQ(Is.countError(), 3 * read(One, 1).countError());
}
