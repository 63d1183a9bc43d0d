//===- unit/Profile/RawProfileTest.cpp - Raw files, good and bad ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/Raw/RawProfile.h"
#include "RawFileBuilder.h"
#include "thermocline/Format/RawChecksums.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profile;

static Expected<RawProfile> parse(StringRef Bytes) {
  return RawProfile::parse(MemoryBufferRef(Bytes, "test.raw"));
}

/// The error of a file that must not be accepted.
static std::string errorOf(StringRef Bytes) {
  Expected<RawProfile> Result = parse(Bytes);
  if (Result)
    return "accepted";
  return toString(Result.takeError());
}

class RawProfileVersion : public testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Versions, RawProfileVersion, testing::Values(3, 4, 5));

TEST_P(RawProfileVersion, ReadsEveryField) {
  RawFile File;
  File.Version = GetParam();
  const std::string Bytes = File.bytes();
  Expected<RawProfile> Result = parse(Bytes);
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  ASSERT_EQ(Result->contexts().size(), 2u);
  const RawContext &C = Result->contexts()[0];
  EXPECT_EQ(C.CallStackId, 1u);
  EXPECT_EQ(std::vector<uint64_t>(C.Calls.begin(), C.Calls.end()),
            std::vector<uint64_t>({0x1010, 0x1020}));
  EXPECT_EQ(+C.Info.AllocCount, 1u);
  EXPECT_EQ(+C.Info.TotalAccessCount, 6u);
  EXPECT_EQ(+C.Info.TotalSize, 64u);
  EXPECT_EQ(+C.Info.AllocTimestamp, 10u);
  EXPECT_EQ(+C.Info.DeallocTimestamp, 30u);
  EXPECT_EQ(+C.Info.TotalLifetime, 20u);
  EXPECT_EQ(+C.Info.AllocCpuId, 3u);
  EXPECT_EQ(+C.Info.DeallocCpuId, 4u);
  EXPECT_EQ(+C.Info.NumMigratedCpu, 1u);
  EXPECT_EQ(+C.Info.TotalAccessDensity, 9u);
  EXPECT_EQ(+C.Info.MaxLifetimeAccessDensity, 9u);
  ASSERT_EQ(Result->segments().size(), 1u);
  EXPECT_EQ(Result->segments()[0].Start, 0x1000u);
  EXPECT_EQ(Result->segments()[0].BuildId.size(), 4u);
}

TEST_P(RawProfileVersion, TruncatedAtAnyLengthIsAnError) {
  RawFile File;
  File.Version = GetParam();
  File.Mibs[0].Histogram = {1, 2, 3};
  const std::string Bytes = File.bytes();
  for (size_t Length = 0; Length != Bytes.size(); ++Length) {
    std::string Error = errorOf(StringRef(Bytes).take_front(Length));
    EXPECT_TRUE(StringRef(Error).starts_with("test.raw: ")) << Error;
  }
}

TEST_P(RawProfileVersion, AnyByteChangedIsAnErrorOrAProfile) {
  RawFile File;
  File.Version = GetParam();
  File.Mibs[0].Histogram = {1, 2, 3};
  const std::string Bytes = File.bytes();
  size_t Rejected = 0;
  for (size_t I = 0; I != Bytes.size(); ++I)
    for (unsigned char Flip : {0x01, 0x80, 0xff}) {
      std::string Changed = Bytes;
      Changed[I] ^= Flip;
      Expected<RawProfile> Result = parse(Changed);
      if (Result) {
        for (const RawContext &C : Result->contexts())
          EXPECT_FALSE(C.Calls.empty());
        continue;
      }
      ++Rejected;
      std::string Error = toString(Result.takeError());
      EXPECT_TRUE(StringRef(Error).starts_with("test.raw: dump 1")) << Error;
    }
  EXPECT_GT(Rejected, 0u);
}

TEST_P(RawProfileVersion, HugeCountsAreErrors) {
  RawFile File;
  File.Version = GetParam();
  const std::string Bytes = File.bytes();
  // Every aligned word in turn becomes the greatest number.
  for (size_t I = 0; I + 8 <= Bytes.size(); I += 8) {
    std::string Changed = Bytes;
    Changed.replace(I, 8, 8, '\xff');
    Expected<RawProfile> Result = parse(Changed);
    if (!Result)
      consumeError(Result.takeError());
  }
}

TEST(RawProfileTest, HistogramsAreReadAndCounted) {
  for (uint64_t Version : {4, 5}) {
    RawFile File;
    File.Version = Version;
    // Version 5 has 12 bits and 4 of exponent: 0x1801 is 0x801 times 2.
    File.Mibs[0].Histogram = {1, 2, 0, 255, 4095, 0x1801};
    Expected<RawProfile> Result = parse(File.bytes());
    ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    EXPECT_EQ(Result->numHistograms(), 1u);
    const RawContext &C = Result->contexts()[0];
    // The pointer to it meant something to the profiled process only.
    EXPECT_EQ(+C.Info.AccessHistogramSize, 0u);
    EXPECT_EQ(+C.Info.AccessHistogram, 0u);
    uint64_t Last = Version == 5 ? 0x1002 : 0x1801;
    EXPECT_EQ(C.Histogram, (std::vector<uint64_t>{1, 2, 0, 255, 4095, Last}));
    EXPECT_EQ(Result->contexts()[1].CallStackId, 2u);
    EXPECT_TRUE(Result->contexts()[1].Histogram.empty());
  }
}

TEST(RawProfileTest, HistogramsOfSeveralDumpsAreAdded) {
  RawFile First, Second;
  First.Mibs[0].Histogram = {1, 2};
  First.Mibs[1].Histogram = {1, 1, 1};
  Second.Mibs[0].Histogram = {10, 20, 30};
  Expected<RawProfile> Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->contexts()[0].Histogram,
            (std::vector<uint64_t>{11, 22, 30}));
  EXPECT_EQ(Result->contexts()[1].Histogram, (std::vector<uint64_t>{1, 1, 1}));
}

TEST(RawProfileTest, AHistogramBeyondItsSectionIsAnError) {
  RawFile File;
  File.Mibs[1].Histogram = {1, 2, 3};
  std::string Bytes = File.bytes();
  // The last record's number of counters, in front of a pointer, three counters
  // of 2 bytes and padding.
  size_t Size = Bytes.find(std::string("\3\0\0\0\0\0\xff\x7f", 8));
  ASSERT_NE(Size, std::string::npos);
  Bytes[Size + 2] = 1;
  std::string Error = errorOf(Bytes);
  EXPECT_NE(Error.find("MIB 1 (at byte "), std::string::npos) << Error;
  EXPECT_NE(Error.find("histogram of 65539 counters reaches past the end"),
            std::string::npos)
      << Error;
}

TEST(RawProfileTest, DumpsOfOneProcessAreMerged) {
  RawFile First, Second;
  Second.Mibs = {{2, 3, 64, 5, 90}, {7}};
  Second.Stacks = {{2, {0x1030}}, {7, {0x1040}}};
  Second.Segments = 2;
  Expected<RawProfile> Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->numDumps(), 2u);
  EXPECT_EQ(Result->segments().size(), 2u);
  ASSERT_EQ(Result->contexts().size(), 3u);
  EXPECT_EQ(+Result->contexts()[1].Info.AllocCount, 4u);
  EXPECT_EQ(+Result->contexts()[1].Info.TotalSize, 128u);
  EXPECT_EQ(Result->contexts()[2].CallStackId, 7u);
}

TEST(RawProfileTest, DumpsOfDifferentProcessesAreAnError) {
  RawFile First, Second;
  Second.Stacks = {{1, {0x1010, 0x1020}}, {2, {0x9999}}};
  std::string Error = errorOf(First.bytes() + Second.bytes());
  EXPECT_NE(Error.find("dump 2, call stack 1"), std::string::npos) << Error;
  EXPECT_NE(Error.find("different processes"), std::string::npos) << Error;
}

TEST(RawProfileTest, ErrorsNameTheRecord) {
  auto ErrorWith = [](function_ref<void(RawFile &)> Change) {
    RawFile File;
    Change(File);
    return errorOf(File.bytes());
  };
  EXPECT_EQ(errorOf(""), "test.raw: the file is empty");
  EXPECT_EQ(ErrorWith([](RawFile &F) { F.Magic = 0x1234; }),
            "test.raw: dump 1 (at byte 0): not a raw memory profile: wrong "
            "magic number 0x1234");
  EXPECT_EQ(ErrorWith([](RawFile &F) { F.Version = 6; }),
            "test.raw: dump 1 (at byte 0): raw format version 6 is not "
            "supported (3 to 5 are)");
  EXPECT_EQ(ErrorWith([](RawFile &F) { F.Mibs[1].StackId = 0xbad; }),
            "test.raw: dump 1, MIB 1 (at byte 280): call stack 0xBAD is not in "
            "the file");
  EXPECT_EQ(ErrorWith([](RawFile &F) { F.Mibs[0].AllocCount = 0; }),
            "test.raw: dump 1, MIB 0 (at byte 128): counts no allocations");
  EXPECT_EQ(ErrorWith([](RawFile &F) { F.Stacks[1].Addresses.clear(); }),
            "test.raw: dump 1, call stack 1 (at byte 472): has no addresses");
}

TEST(RawProfileTest, StackIdsThatHashTablesReserveAreLegal) {
  RawFile File;
  File.Mibs = {{UINT64_MAX}, {UINT64_MAX - 1}};
  File.Stacks = {{UINT64_MAX, {1}}, {UINT64_MAX - 1, {2}}};
  Expected<RawProfile> Result = parse(File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->contexts().size(), 2u);
}

TEST(RawProfileTest, SamplesAreReadBesideTheirMibs) {
  RawFile File;
  File.Mibs[0].Histogram = {1};
  File.Samples.resize(2);
  File.Samples[1] = {7, 1, {2, 3, 5, 7, 11, 13}};
  Expected<RawProfile> Result = parse(File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->sampleInterval(), 100u);
  const RawSampling &A = Result->sampling(Result->contexts()[0]);
  EXPECT_EQ(A.Measured, 5u);
  EXPECT_TRUE(A.HasGaps && A.PlaceTouched);
  EXPECT_EQ(A.AccessesVariance, 9);
  EXPECT_EQ(A.Density, 0.25);
  const RawSampling &B = Result->sampling(Result->contexts()[1]);
  EXPECT_EQ(B.Measured, 7u);
  EXPECT_TRUE(B.HasGaps && !B.PlaceTouched);
  EXPECT_EQ(B.AllocCountVariance, 2);
  EXPECT_EQ(B.SizeVariance, 3);
  EXPECT_EQ(B.LifetimeVariance, 7);
  EXPECT_EQ(B.DensityVariance, 13);
}

TEST(RawProfileTest, DumpsWithoutPaddingHaveSamplesToo) {
  RawFile First, Second;
  First.Samples.resize(2);
  Second.Version = 3;
  Second.Mibs = {{1, 3}, {2}, {3}};
  Second.Stacks.push_back({3, {0x1040}});
  Second.Padded = false;
  Expected<RawProfile> Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  ASSERT_EQ(Result->contexts().size(), 3u);
  EXPECT_EQ(Result->sampling(Result->contexts()[0]).Measured, 5u + 3);
  EXPECT_EQ(Result->sampling(Result->contexts()[2]).Measured, 1u);
}

TEST(RawProfileTest, StacksOfLaterDumpsMayComeInAnyOrder) {
  RawFile First, Second, Third;
  Second.Mibs = {{9}, {5}, {1}, {9}};
  Second.Stacks = {{9, {0x1090}}, {1, {0x1010, 0x1020}}, {5, {0x1050}}};
  Third.Mibs = {{5}, {2}, {UINT64_MAX}};
  Third.Stacks = {{UINT64_MAX, {0x1060}}, {5, {0x1050}}, {2, {0x1030}}};
  const std::string Bytes = First.bytes() + Second.bytes() + Third.bytes();
  Expected<RawProfile> Result = parse(Bytes);
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  std::map<uint64_t, std::pair<uint64_t, uint64_t>> Found;
  for (const RawContext &C : Result->contexts())
    Found[C.CallStackId] = {C.Calls.front(), +C.Info.AllocCount};
  EXPECT_EQ(Found, (decltype(Found){{1, {0x1010, 2}},
                                    {2, {0x1030, 2}},
                                    {5, {0x1050, 2}},
                                    {9, {0x1090, 2}},
                                    {UINT64_MAX, {0x1060, 1}}}));
  Third.Stacks[1].Addresses = {0x1051};
  EXPECT_NE(errorOf(First.bytes() + Second.bytes() + Third.bytes())
                .find("dump 3, call stack 1 "),
            std::string::npos);
}

TEST(RawProfileTest, SamplesOfSeveralDumpsAreAdded) {
  RawFile First, Second;
  First.Samples.resize(2);
  Second.Samples.resize(2);
  Second.Mibs[0].AllocCount = 3;
  Second.Samples[0] = {6, 0, {10, 10, 10, 10, 1.25, 8}};
  Expected<RawProfile> Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  const RawSampling &A = Result->sampling(Result->contexts()[0]);
  EXPECT_EQ(A.Measured, 11u);
  EXPECT_EQ(A.SizeVariance, 14);
  EXPECT_EQ(A.Density, 0.25 / 4 + 1.25 * 3 / 4);
  EXPECT_EQ(A.DensityVariance, 0.5 / 16 + 8 * 9.0 / 16);
  // A dump that is not sampled has measured all it counts.
  Second.Samples.clear();
  Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->sampling(Result->contexts()[0]).Measured, 5u + 3);
  EXPECT_TRUE(Result->isSampled());
}

TEST(RawProfileTest, BadSamplesAreErrors) {
  auto Error = [](auto Change) {
    RawFile File;
    File.Samples.resize(2);
    Change(File);
    return errorOf(File.bytes());
  };
  for (uint64_t Interval : {uint64_t(0), uint64_t(1), uint64_t(65536)})
    EXPECT_NE(Error([=](RawFile &F) {
                F.SampleInterval = Interval;
              }).find("cannot have been recorded"),
              std::string::npos);
  EXPECT_NE(Error([](RawFile &F) {
              F.Samples.resize(1);
            }).find("does not have one for each of 2 MIBs"),
            std::string::npos);
  EXPECT_NE(Error([](RawFile &F) {
              F.Samples[1].Measured = 0;
            }).find("sample 1 (at byte"),
            std::string::npos);
  EXPECT_NE(Error([](RawFile &F) {
              F.Samples[0].Flags = 4;
            }).find("has unknown flags"),
            std::string::npos);
  for (double Bad : {-1.0, HUGE_VAL, std::nan("")})
    EXPECT_NE(Error([=](RawFile &F) {
                F.Samples[0].Fields[4] = Bad;
              }).find("negative or no number"),
              std::string::npos);
}

TEST(RawProfileTest, TheRunIsReadBehindSamplesOrMibs) {
  RawFile File;
  File.Mibs[0].Histogram = {1};
  Expected<RawProfile> Result = parse(File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_FALSE(Result->run());
  File.Run = {5, 1055};
  for (size_t Samples : {0, 2}) {
    File.Samples.resize(Samples);
    Result = parse(File.bytes());
    ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    ASSERT_TRUE(Result->run());
    EXPECT_EQ(Result->run()->BeginMs, 5u);
    EXPECT_EQ(Result->run()->EndMs, 1055u);
    EXPECT_EQ(Result->run()->length(), Milliseconds(1050));
  }
}

TEST(RawProfileTest, TheRunOfSeveralDumpsGoesFromFirstToLast) {
  RawFile First, Second, Without;
  First.Run = {0, 700};
  Second.Run = {600, 900};
  Expected<RawProfile> Result = parse(First.bytes() + Second.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  ASSERT_TRUE(Result->run());
  EXPECT_EQ(Result->run()->length(), Milliseconds(900));
  for (const std::string &Bytes :
       {First.bytes() + Without.bytes() + Second.bytes(),
        Without.bytes() + First.bytes()}) {
    Result = parse(Bytes);
    ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    EXPECT_FALSE(Result->run());
  }
}

TEST(RawProfileTest, BadRunsAreErrors) {
  RawFile File;
  File.Run = {6, 5};
  EXPECT_NE(errorOf(File.bytes()).find("cannot have taken from 6 to 5 ms"),
            std::string::npos);
  File.Run = {0, uint64_t(1) << 45};
  EXPECT_NE(errorOf(File.bytes()).find("cannot have taken"), std::string::npos);
  File.Run = {0, 5, 6};
  EXPECT_NE(errorOf(File.bytes()).find("part of the run: its size is damaged"),
            std::string::npos);
}

/// Three windows. Of the first MIB two objects lived from the second window on,
/// 200 bytes together; both were touched in it, and one in the last. The second
/// window has no burst; in that of the last, the object was touched. Of the
/// other MIB there were 300 pages in all windows, none of them touched.
static RawFile withWindows() {
  RawFile File;
  File.Run = {0, 5};
  File.Windows = {5000, 5001, 7000};
  File.Bursts = {5000, 0, 1234};
  File.Phases = {"load", "serve"};
  File.WindowPhases = {1, 2, 0};
  File.Touches = {
      std::string({2, 1, 8, 6, '\x85', 2, 7, 4, '\x90', 3, 4, 4 + 8, 1, 2, 0}),
      std::string({0, 3, 0, 0, 0, 0, '\x83', 16, '\xd8', 4, '\x80', '\x80',
                   '\x96', 1})};
  return File;
}

TEST(RawProfileTest, WindowsAreReadBehindTheRun) {
  for (size_t Samples : {0, 2}) {
    RawFile File = withWindows();
    File.Samples.resize(Samples);
    Expected<RawProfile> Result = parse(File.bytes());
    ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    EXPECT_EQ(Result->windows(), ArrayRef<RawWindow>({{5000, 5000, "load"},
                                                      {5001, 0, "serve"},
                                                      {7000, 1234, ""}}));
    const ContextTouches &First = Result->contexts()[0].Touches;
    EXPECT_EQ(First.Objects.First, 1u);
    EXPECT_EQ(First.Objects.Windows,
              (std::vector<WindowTouches>{{2, 200, 2, 0}, {2, 200, 1, 1}}));
    EXPECT_EQ(First.Objects.Granules, 8u);
    EXPECT_EQ(First.Objects.TouchedGranules, 6u);
    EXPECT_TRUE(First.Pages.empty());
    const ContextTouches &Second = Result->contexts()[1].Touches;
    EXPECT_TRUE(Second.Objects.empty());
    EXPECT_EQ(Second.Pages.Windows,
              std::vector<WindowTouches>(3, {300, 300 * 4096, 0, 0}));
  }
}

TEST(RawProfileTest, WindowsHaveVariances) {
  RawFile File = withWindows();
  Expected<RawProfile> Result = parse(File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  const UnitTouches &First = Result->contexts()[0].Touches.Objects;
  EXPECT_EQ(First.Variance, 261u);
  EXPECT_EQ(First.Granules, 8u);
  EXPECT_EQ(First.Windows.size(), 2u);
  EXPECT_EQ(Result->contexts()[1].Touches.Pages.Variance, 0u);
  // Those of dumps add up.
  Result = parse(File.bytes() + File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->contexts()[0].Touches.Objects.Variance, 522u);
}

TEST(RawProfileTest, WindowsHaveTheSizeOfPages) {
  RawFile File = withWindows();
  EXPECT_EQ(cantFail(parse(File.bytes())).pageBytes(), 4096u);
  // Of 300 pages in each window, 7 are touched in the first.
  File.Touches[1] = std::string({0, 3, 0, 0, 0, 3, 7, '\xd8', 4, '\x80', '\x80',
                                 '\x96', 1, 14, '\x84', 8, 13});
  for (uint64_t Bytes : {4096, 16384, 65536}) {
    const uint64_t Pieces = Bytes / 4096;
    File.PageBytes = Bytes;
    Expected<RawProfile> Result = parse(File.bytes());
    ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
    EXPECT_EQ(Result->pageBytes(), Bytes);
    EXPECT_EQ(Result->contexts()[0].Touches.Objects.Windows,
              (std::vector<WindowTouches>{{2, 200, 2, 0}, {2, 200, 1, 1}}));
    const UnitTouches &Pages = Result->contexts()[1].Touches.Pages;
    EXPECT_EQ(Pages.Windows, (std::vector<WindowTouches>{
                                 {300 * Pieces, 300 * 4096, 7 * Pieces, 0},
                                 {300 * Pieces, 300 * 4096, 0, 0},
                                 {300 * Pieces, 300 * 4096, 0, 0}}));
    EXPECT_EQ(Pages.Variance, 3 * Pieces * Pieces);
  }
}

TEST(RawProfileTest, WindowsOfALaterDumpComeBehindThoseOfAnEarlierOne) {
  RawFile File = withWindows();
  Expected<RawProfile> Result = parse(File.bytes() + File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->windows().size(), 6u);
  const UnitTouches &T = Result->contexts()[0].Touches.Objects;
  EXPECT_EQ(T.First, 1u);
  EXPECT_EQ(
      T.Windows,
      (std::vector<WindowTouches>{
          {2, 200, 2, 0}, {2, 200, 1, 1}, {}, {2, 200, 2, 0}, {2, 200, 1, 1}}));
  EXPECT_EQ(T.Granules, 16u);
}

TEST(RawProfileTest, BadWindowsAreErrors) {
  auto ErrorOf = [](auto Change) {
    RawFile File = withWindows();
    Change(File);
    return errorOf(File.bytes());
  };
  auto Expect = [&](StringRef What, auto Change) {
    std::string Error = ErrorOf(Change);
    EXPECT_TRUE(StringRef(Error).starts_with("test.raw: dump 1, MIB section"))
        << Error;
    EXPECT_NE(Error.find("part of windows: "), std::string::npos) << Error;
    EXPECT_NE(Error.find(What), std::string::npos) << Error;
  };
  for (uint64_t Bytes : {0, 2048, 12288, 131072})
    Expect("has pages of " + std::to_string(Bytes) + " bytes",
           [&](RawFile &F) { F.PageBytes = Bytes; });
  Expect("cannot have 33 windows",
         [](RawFile &F) { F.Windows.assign(33, 5000); });
  Expect("counts 1 records of 2", [](RawFile &F) { F.Touches.pop_back(); });
  Expect("window 1 is too long",
         [](RawFile &F) { F.Windows[1] = uint64_t(1) << 60; });
  Expect("window 2 is shorter than its burst",
         [](RawFile &F) { F.Bursts[2] = 7001; });
  Expect("window 0 is of a phase that is not there",
         [](RawFile &F) { F.WindowPhases[0] = 3; });
  Expect("too many phases", [](RawFile &F) {
    for (char C = 'a'; F.Phases.size() != 16; ++C)
      F.Phases.push_back({C});
  });
  Expect("a phase without a name", [](RawFile &F) { F.Phases[1] = ""; });
  Expect("or with one that is too long",
         [](RawFile &F) { F.Phases[1] = std::string(64, 'a'); });
  Expect("two phases of the same name",
         [](RawFile &F) { F.Phases[1] = "load"; });
  Expect("record 0 has", [](RawFile &F) { F.Touches[0][0] = 3; });
  Expect("windows beyond the last", [](RawFile &F) { F.Touches[0][1] = 2; });
  Expect("touched more than there was",
         [](RawFile &F) { F.Touches[0][3] = 9; });
  Expect("touched more than there was",
         [](RawFile &F) { F.Touches[0][10] = 6; });
  Expect("touched more than there was",
         [](RawFile &F) { F.Touches[0][13] = 4; });
  Expect("an impossible number", [](RawFile &F) { F.Touches[0][12] = 9; });
  Expect("an impossible number", [](RawFile &F) { F.Touches[0][13] = 1; });
  Expect("touched in a burst that was none",
         [](RawFile &F) { F.Bursts[2] = 0; });
  Expect("more windows than it counts",
         [](RawFile &F) { F.Touches[1][7] = 24; });
  Expect("record 1 reaches", [](RawFile &F) { F.Touches[1].pop_back(); });
  Expect("1 bytes too many", [](RawFile &F) { F.Touches[1] += '\0'; });
  Expect("has such windows already", [](RawFile &F) {
    F.Mibs[1].StackId = 1;
    F.Touches[1] = F.Touches[0];
  });
}

TEST(RawProfileTest, BadPartsAreErrors) {
  using Parts = std::vector<RawPart>;
  auto ErrorOf = [](std::function<void(Parts &)> Change) {
    RawFile File = withWindows();
    File.Samples.resize(2);
    File.ChangeParts = std::move(Change);
    const std::string Error = errorOf(File.bytes());
    constexpr StringRef Where = "test.raw: dump 1, MIB section (at byte ";
    if (!StringRef(Error).starts_with(Where))
      return Error;
    return StringRef(Error).drop_front(Where.size()).split("): ").second.str();
  };
  const std::string Names[] = {"samples", "the run", "windows"};
  for (size_t I = 0; I != 3; ++I) {
    EXPECT_EQ(ErrorOf([&](Parts &P) { P[I].Version = 2; }),
              "part of " + Names[I] + ": version 2 is not supported (1 is)");
    EXPECT_EQ(ErrorOf([&](Parts &P) { P[I].NumBytes += 8000; }),
              "part of " + Names[I] + ": reaches past the end of the section");
    EXPECT_EQ(ErrorOf([&](Parts &P) { P[I].NumBytes = ~uint64_t(0); }),
              "part of " + Names[I] + ": reaches past the end of the section");
  }
  // What is said to follow does not, or more does.
  EXPECT_EQ(ErrorOf([](Parts &P) { P[2].NumLeft = 1; }),
            "part of windows: is not in its place");
  EXPECT_EQ(ErrorOf([](Parts &P) {
              for (size_t I = 0; I != 3; ++I)
                P[I].NumLeft = 3 - I;
            }),
            "lacks a part that is said to follow");
  EXPECT_EQ(ErrorOf([](Parts &P) { P[0].NumLeft = 0; }), "accepted");
  EXPECT_EQ(ErrorOf([](Parts &P) { P[1].NumLeft = 0; }),
            "part of the run: is not in its place");
  EXPECT_EQ(ErrorOf([](Parts &P) { std::swap(P[0], P[1]); }),
            "part of samples: is not in its place");
  EXPECT_EQ(ErrorOf([](Parts &P) { P.insert(P.begin() + 1, P[0]); }),
            "part of samples: is not in its place");
  EXPECT_EQ(ErrorOf([](Parts &P) { P[1].Kind = "tcsometh"; }),
            "lacks a part that is said to follow");
  // Nothing of ours.
  EXPECT_EQ(ErrorOf([](Parts &P) { P[0].Kind = "tcsometh"; }), "accepted");
}

TEST(RawProfileTest, AnyByteOfPartsIsNoticed) {
  RawFile File = withWindows();
  File.Samples.resize(2);
  RawFile Without = File;
  Without.ChangeParts = [](std::vector<RawPart> &Parts) { Parts.clear(); };
  const std::string Bytes = File.bytes();
  // Call stacks are the end of both.
  const size_t Stacks = 8 + (2 + 2) * 8 + (2 + 1) * 8;
  const size_t Begin = Without.bytes().size() - Stacks;
  // If nothing of the first kind is there, there are no parts of ours.
  for (size_t I = Begin + 8; I != Bytes.size() - Stacks; ++I)
    for (unsigned char Flip : {0x01, 0x80, 0xff}) {
      std::string Changed = Bytes;
      Changed[I] ^= Flip;
      EXPECT_NE(errorOf(Changed), "accepted") << I;
    }
}

TEST(RawProfileTest, AnyByteOfSamplesAndWindowsMayChange) {
  RawFile File = withWindows();
  File.Samples.resize(2);
  const std::string Bytes = File.bytes();
  for (size_t I = 0; I != Bytes.size(); ++I)
    for (unsigned char Flip : {0x01, 0x80, 0xff}) {
      std::string Changed = Bytes;
      Changed[I] ^= Flip;
      Expected<RawProfile> Result = parse(Changed);
      if (Result)
        continue;
      std::string Error = toString(Result.takeError());
      EXPECT_TRUE(StringRef(Error).starts_with("test.raw: dump 1")) << Error;
    }
}

static RawFile withChecksums() {
  RawFile File = withWindows();
  File.Samples.resize(2);
  File.Mibs[0].Histogram = {1, 2, 3};
  File.Segments = 2;
  File.Checksums = true;
  return File;
}

TEST(RawProfileTest, ChecksumsChangeNothing) {
  RawFile File = withChecksums();
  Expected<RawProfile> Read = parse(File.bytes() + File.bytes());
  ASSERT_TRUE(static_cast<bool>(Read)) << toString(Read.takeError());
  EXPECT_EQ(Read->contexts().size(), 2u);
  EXPECT_EQ(Read->segments().size(), 2u);
  EXPECT_EQ(Read->contexts()[0].Histogram, std::vector<uint64_t>({2, 4, 6}));
}

TEST(RawProfileTest, AnyByteThatMattersIsNoticed) {
  const std::string Bytes = withChecksums().bytes();
  // The checksums of the other half of a file that has two, and counts of call
  // stacks that are greater than what the checksums cover.
  const size_t UnusedBegin = Bytes.size() - 72, UnusedEnd = Bytes.size();
  const size_t CallStacks = Bytes.size() - 144 - 8 - (2 + 2) * 8 - (2 + 1) * 8;
  size_t Harmless = 0;
  for (size_t I = 0; I != Bytes.size(); ++I)
    for (unsigned Flip = 1; Flip != 256; ++Flip) {
      std::string Changed = Bytes;
      Changed[I] = static_cast<char>(Changed[I] ^ Flip);
      Expected<RawProfile> Result = parse(Changed);
      if (!Result) {
        const std::string Error = toString(Result.takeError());
        ASSERT_TRUE(StringRef(Error).starts_with("test.raw: dump 1"))
            << I << ": " << Error;
        continue;
      }
      ++Harmless;
      ASSERT_TRUE((I >= UnusedBegin && I < UnusedEnd) || I == CallStacks) << I;
      ASSERT_EQ(Result->segments().size(), 2u);
      ASSERT_EQ(Result->contexts().size(), 2u);
      ASSERT_EQ(Result->contexts()[0].Calls.size(), 2u);
    }
  // The 200 bytes of call stacks and checksums are room for 3 to 12, if they
  // were empty.
  EXPECT_EQ(Harmless, (UnusedEnd - UnusedBegin) * 255 + 10);
}

TEST(RawProfileTest, DamageIsNamedBySection) {
  const std::string Bytes = withChecksums().bytes();
  auto Changed = [&](size_t Offset) {
    std::string Result = Bytes + Bytes;
    Result[Offset] = static_cast<char>(Result[Offset] ^ 1);
    return errorOf(Result);
  };
  EXPECT_EQ(Changed(8), "test.raw: dump 1, header (at byte 0): damaged: its "
                        "checksum is wrong");
  EXPECT_EQ(Changed(56), "test.raw: dump 1, checksum section (at byte 48): "
                         "version 0 is not supported (1 is)");
  EXPECT_EQ(Changed(64), "test.raw: dump 1, header (at byte 0): damaged: its "
                         "checksum is wrong");
  EXPECT_EQ(Changed(70), "test.raw: dump 1, checksum section (at byte 48): "
                         "damaged: there are no checksums");
  EXPECT_EQ(Changed(48), "test.raw: dump 1 (at byte 0): damaged: behind the "
                         "header is neither a segment section nor one of "
                         "checksums");
  EXPECT_EQ(Changed(84), "test.raw: dump 1, segment section (at byte 80): "
                         "damaged: its checksum is wrong");
  EXPECT_EQ(Changed(72 + 8 + 2 * 64 + 30),
            "test.raw: dump 1, MIB section (at byte 208): damaged: its "
            "checksum is wrong");
  EXPECT_EQ(Changed(Bytes.size() - 144 - 1),
            "test.raw: dump 1, call stack section (at byte " +
                std::to_string(Bytes.size() - 144 - 56) +
                "): damaged: its checksum is wrong");
  EXPECT_TRUE(StringRef(Changed(2 * Bytes.size() - 144 - 1))
                  .starts_with("test.raw: dump 2, call stack section"));
}

TEST(RawProfileTest, CutOffFilesWithChecksumsAreErrors) {
  const std::string Bytes = withChecksums().bytes();
  for (size_t Length = 0; Length != Bytes.size(); ++Length) {
    const std::string Error = errorOf(StringRef(Bytes).take_front(Length));
    EXPECT_TRUE(StringRef(Error).starts_with("test.raw: ")) << Error;
    if (Length)
      EXPECT_TRUE(StringRef(Error).contains("truncated")) << Error;
  }
}

TEST(RawProfileTest, ChecksumsDoNotDependOnHowBytesAreCut) {
  std::string Bytes;
  for (unsigned I = 0; I != 150; ++I)
    Bytes += static_cast<char>(I * 37 + 11);
  for (size_t Size = 0; Size <= Bytes.size(); ++Size) {
    const uint64_t Whole = RawFile::checksum(Bytes.substr(0, Size));
    EXPECT_EQ(format::hashOf(Bytes.data(), Size), Whole) << Size;
    for (size_t Piece : {1, 7, 8, 31, 32, 33, 100}) {
      format::RunningHash Hash;
      for (size_t Offset = 0; Offset < Size; Offset += Piece) {
        Hash.add(Bytes.data() + Offset, std::min(Piece, Size - Offset));
        // What was hashed so far may be asked for.
        EXPECT_EQ(Hash.value(), RawFile::checksum(Bytes.substr(
                                    0, std::min(Offset + Piece, Size))));
      }
      EXPECT_EQ(Hash.value(), Whole) << Size << " by " << Piece;
    }
  }
  // Zeros at the end count.
  EXPECT_NE(format::hashOf("\0\0", 1), format::hashOf("\0\0", 2));
  EXPECT_NE(format::hashOf("", 0), format::hashOf("\0", 1));
}

/// What a process that was killed had just begun to append is left out.
TEST(RawProfileTest, WhatChecksumsDoNotCoverIsLeftOut) {
  RawFile File = withChecksums();
  File.Stacks.push_back({3, {0x1030}});
  File.CheckedStacks = 2;
  Expected<RawProfile> Result = parse(File.bytes());
  ASSERT_TRUE(static_cast<bool>(Result)) << toString(Result.takeError());
  EXPECT_EQ(Result->contexts().size(), 2u);
  File.Mibs.push_back({3});
  File.Samples.resize(3);
  File.Touches.push_back(File.Touches[0]);
  const std::string Error = errorOf(File.bytes());
  EXPECT_TRUE(StringRef(Error).contains("call stack 0x3 is not in the file"))
      << Error;
}

TEST(RawProfileTest, ChecksumsOfMoreThanThereIsAreErrors) {
  const std::string Bytes = withChecksums().bytes();
  const size_t Set = Bytes.size() - 144;
  for (unsigned Field = 1; Field != 5; ++Field)
    for (uint64_t Value :
         {uint64_t(1) << 40, ~uint64_t(0), ~uint64_t(0) / 64}) {
      std::string Changed = Bytes, Number;
      RawFile::put(Number, Value, 8);
      Changed.replace(Set + 8 * Field, 8, Number);
      Number.clear();
      RawFile::put(
          Number,
          RawFile::checksum(Changed.substr(0, 72) + Changed.substr(Set, 64)),
          8);
      Changed.replace(Set + 64, 8, Number);
      const std::string Error = errorOf(Changed);
      EXPECT_TRUE(StringRef(Error).contains("damaged")) << Error;
    }
}
