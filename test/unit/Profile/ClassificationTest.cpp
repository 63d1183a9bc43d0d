//===- unit/Profile/ClassificationTest.cpp - The cold rule, case by case --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/RunInfo.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace llvm;
using namespace llvm::memprof;
using namespace thermocline;
using namespace thermocline::profile;

namespace {
struct Case {
  const char *Name;
  uint32_t Allocations;
  uint64_t BytesEach;
  uint64_t LifetimeMsEach;
  /// Over all allocations.
  uint64_t Accesses;
  uint64_t RunMs;
  bool Cold;
};

void PrintTo(const Case &C, std::ostream *OS) { *OS << C.Name; }

const Case Cases[] = {
    // Built, then left alone until the end.
    {"idle_for_the_whole_run", 1000, 64, 2000, 16000, 2000, true},
    {"idle_for_the_whole_of_a_long_run", 1000, 64, 3600000, 16000, 3600000,
     true},
    {"short_lived_and_hardly_touched", 1000, 64, 1, 8000, 2000, false},
    {"a_quarter_of_the_run", 10, 64, 500, 0, 2000, true},
    {"just_under_a_quarter", 10, 64, 499, 0, 2000, false},
    {"long_lived_and_busy", 1000, 64, 2000, 64 * 1000 * 50, 2000, false},
    // 1 access per byte, and 0.05 for each of 2 seconds.
    {"just_within_the_allowance", 1, 1000, 2000, 1100, 2000, true},
    {"just_above_the_allowance", 1, 1000, 2000, 1101, 2000, false},
    {"the_allowance_grows_with_the_lifetime", 1, 1000, 100000, 5900, 100000,
     true},
    {"a_run_of_no_length_tells_nothing", 1, 64, 0, 0, 0, false},
};

PortableMemInfoBlock block(const Case &C, const MemProfSchema &Schema) {
  MemInfoBlock Info;
  Info.AllocCount = C.Allocations;
  Info.TotalSize = C.Allocations * C.BytesEach;
  Info.TotalLifetime = C.Allocations * C.LifetimeMsEach;
  Info.TotalAccessCount = C.Accesses;
  // All allocations alike.
  Info.TotalAccessDensity = C.Accesses * 100 / C.BytesEach;
  Info.TotalLifetimeAccessDensity =
      Info.TotalAccessDensity * 1000 / std::max<uint64_t>(C.LifetimeMsEach, 1);
  return PortableMemInfoBlock(Info, Schema);
}

class ClassificationTest : public testing::TestWithParam<Case> {};
} // namespace

INSTANTIATE_TEST_SUITE_P(Cases, ClassificationTest, testing::ValuesIn(Cases),
                         [](const auto &Info) { return Info.param.Name; });

TEST_P(ClassificationTest, ByAllMeasures) {
  PortableMemInfoBlock Block = block(GetParam(), getFullSchema());
  RunInfo Runs = RunInfo::oneRun(Milliseconds(GetParam().RunMs));
  EXPECT_EQ(ruleFor(Block, Runs), ColdRule::Relative);
  EXPECT_EQ(classify(Block, Runs, {}) == AllocationType::Cold, GetParam().Cold);
}

TEST(ClassificationRuleTest, AllocationsThatAreBusyCountThoughTheirBytesDoNot) {
  // One idle allocation of a megabyte, and 99 of 16 bytes touched 160 times.
  MemInfoBlock Info;
  Info.AllocCount = 100;
  Info.TotalSize = (1 << 20) + 99 * 16;
  Info.TotalLifetime = 100 * 2000;
  Info.TotalAccessCount = 99 * 160;
  Info.TotalAccessDensity = 99 * 1000;
  PortableMemInfoBlock Block(Info, getFullSchema());
  EXPECT_EQ(classify(Block, RunInfo::oneRun(Milliseconds(2000)), {}),
            AllocationType::NotCold);
}

TEST(ClassificationRuleTest, BytesThatAreBusyCountThoughTheirAllocationsDoNot) {
  // 99 idle allocations of 16 bytes, and one busy megabyte.
  MemInfoBlock Info;
  Info.AllocCount = 100;
  Info.TotalSize = (1 << 20) + 99 * 16;
  Info.TotalLifetime = 100 * 2000;
  Info.TotalAccessCount = 10 << 20;
  Info.TotalAccessDensity = 10 * 100;
  PortableMemInfoBlock Block(Info, getFullSchema());
  EXPECT_EQ(classify(Block, RunInfo::oneRun(Milliseconds(2000)), {}),
            AllocationType::NotCold);
}

TEST(ClassificationRuleTest, TheHotColdSchemaEstimatesAccesses) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(2000));
  Case Idle = {"", 10, 1000, 2000, 5000, 2000, true};
  Case Busy = {"", 10, 1000, 2000, 50000, 2000, false};
  EXPECT_EQ(ruleFor(block(Idle, getHotColdSchema()), Runs),
            ColdRule::RelativeApproximate);
  EXPECT_EQ(classify(block(Idle, getHotColdSchema()), Runs, {}),
            AllocationType::Cold);
  EXPECT_EQ(classify(block(Busy, getHotColdSchema()), Runs, {}),
            AllocationType::NotCold);
}

TEST(ClassificationRuleTest, WithoutRunsItIsLLVMs) {
  Case HalfAnHour = {"", 10, 1000, 1800000, 0, 0, true};
  Case Seconds = {"", 10, 1000, 20000, 0, 0, false};
  for (const MemProfSchema &Schema : {getFullSchema(), getHotColdSchema()}) {
    EXPECT_EQ(ruleFor(block(Seconds, Schema), std::nullopt), ColdRule::LLVM);
    EXPECT_EQ(classify(block(HalfAnHour, Schema), std::nullopt, {}),
              AllocationType::Cold);
    EXPECT_EQ(classify(block(Seconds, Schema), std::nullopt, {}),
              AllocationType::NotCold);
  }
}

TEST(ClassificationRuleTest, EmptyBlocksAndSchemasAreNotCold) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(1000));
  EXPECT_EQ(classify(PortableMemInfoBlock(), Runs, {}),
            AllocationType::NotCold);
  EXPECT_EQ(
      classify(PortableMemInfoBlock(MemInfoBlock(), getFullSchema()), Runs, {}),
      AllocationType::NotCold);
}

TEST(ClassificationRuleTest, ThresholdsOutOfRangeAreErrors) {
  EXPECT_FALSE(static_cast<bool>(ColdThresholds().validate()));
  for (ColdThresholds Bad :
       {ColdThresholds{-0.1, 1, 1}, ColdThresholds{1.1, 1, 1},
        ColdThresholds{0.5, -1, 1}, ColdThresholds{0.5, 1, -1},
        ColdThresholds{NAN, 1, 1}, ColdThresholds{0.5, INFINITY, 1}}) {
    Error E = Bad.validate();
    EXPECT_TRUE(static_cast<bool>(E));
    EXPECT_NE(toString(std::move(E)).find("cold-"), std::string::npos);
  }
}

TEST(RunInfoTest, SurvivesTheProfile) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(1000));
  Runs.add(RunInfo::oneRun(Milliseconds(3000)));
  std::optional<RunInfo> Full =
      decodeRunInfo(PortableMemInfoBlock(encodeRunInfo(Runs), getFullSchema()));
  ASSERT_TRUE(Full);
  EXPECT_EQ(Full->Runs, 2u);
  EXPECT_EQ(Full->TotalLength, Milliseconds(4000));
  EXPECT_EQ(Full->Shortest, Milliseconds(1000));
  EXPECT_EQ(Full->Longest, Milliseconds(3000));
  EXPECT_EQ(Full->meanLengthMs(), 2000);
  EXPECT_EQ(Full->comparedLengthMs(), 2500);
  EXPECT_EQ(Full->Estimated, 0u);
  std::optional<RunInfo> Small = decodeRunInfo(
      PortableMemInfoBlock(encodeRunInfo(Runs), getHotColdSchema()));
  ASSERT_TRUE(Small);
  EXPECT_EQ(Small->meanLengthMs(), 2000);
  EXPECT_EQ(Small->comparedLengthMs(), 2500);
}

TEST(RunInfoTest, EstimatesAreCounted) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(1000));
  Runs.add(RunInfo::oneEstimatedRun(Milliseconds(1000)));
  std::optional<RunInfo> Full =
      decodeRunInfo(PortableMemInfoBlock(encodeRunInfo(Runs), getFullSchema()));
  ASSERT_TRUE(Full);
  EXPECT_EQ(Full->Estimated, 1u);
}

TEST(RunInfoTest, ShortRunsBesideALongOneDoNotShortenIt) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(10000));
  for (int Child = 0; Child != 100; ++Child)
    Runs.add(RunInfo::oneRun(Milliseconds(1)));
  EXPECT_LT(Runs.meanLengthMs(), 101);
  EXPECT_GT(Runs.comparedLengthMs(), 9900);
  EXPECT_EQ(RunInfo::oneRun(Milliseconds(0)).comparedLengthMs(), 0);
}

TEST(RunInfoTest, OlderProfilesKeepTheMeanOfTheirEstimates) {
  RunInfo Runs = RunInfo::oneRun(Milliseconds(1000));
  Runs.add(RunInfo::oneRun(Milliseconds(3000)));
  MemInfoBlock Old = encodeRunInfo(Runs);
  Old.TotalLifetimeAccessDensity = 0;
  std::optional<RunInfo> Read =
      decodeRunInfo(PortableMemInfoBlock(Old, getFullSchema()));
  ASSERT_TRUE(Read);
  EXPECT_EQ(Read->comparedLengthMs(), 2000);
  EXPECT_EQ(Read->Estimated, 2u);
}

TEST(RunInfoTest, TheStartIsTheProgramsFirstAllocation) {
  TimeSpan Span;
  // A library before the runtime was ready; lives until the end.
  Span.add(0, 900, 900, /*OfProgram=*/false);
  // Last allocated at 700, but one that lived 300 ms was freed by 750.
  Span.add(700, 750, 300, /*OfProgram=*/true);
  EXPECT_EQ(Span.length(), Milliseconds(450));
  EXPECT_EQ(TimeSpan().length(), Milliseconds(0));
}
