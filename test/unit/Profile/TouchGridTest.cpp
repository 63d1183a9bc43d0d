//===- unit/Profile/TouchGridTest.cpp - Windows of several runs as one ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/TouchGrid.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <memory>
#include <numeric>
#include <random>

using namespace llvm;
using namespace thermocline::profile;

static std::vector<RawWindow> windows(size_t Count, uint64_t LengthUs = 1000) {
  return std::vector<RawWindow>(Count, RawWindow{LengthUs, 0, ""});
}

static ContextTouches objects(size_t First,
                              std::vector<WindowTouches> Windows) {
  ContextTouches Result;
  Result.Objects.First = First;
  Result.Objects.Windows = std::move(Windows);
  Result.Objects.Granules = 100;
  Result.Objects.TouchedGranules = 10;
  return Result;
}

/// The bins of objects, with those in front of the first.
static std::vector<WindowTouches> bins(const RunLayout &Layout,
                                       const ContextTouches &Touches) {
  UnitTouches Laid = Layout.layOut(Touches).Objects;
  std::vector<WindowTouches> Result(Laid.First);
  Result.insert(Result.end(), Laid.Windows.begin(), Laid.Windows.end());
  Result.resize(Layout.grid().numBins());
  return Result;
}

static uint64_t sum(ArrayRef<WindowTouches> Bins,
                    uint64_t WindowTouches::*Field) {
  return std::accumulate(
      Bins.begin(), Bins.end(), uint64_t(0),
      [&](uint64_t Sum, const WindowTouches &W) { return Sum + W.*Field; });
}

TEST(TouchGridTest, RunsOfFewWindowsAreTooShort) {
  EXPECT_FALSE(TouchGrid().isLongEnough());
  auto WithPhases = [](std::vector<TouchPhase> Phases) {
    return TouchGrid{std::move(Phases)}.isLongEnough();
  };
  // Runs, and all their windows.
  EXPECT_FALSE(WithPhases({{.Name = "", .Runs = 1, .Windows = 0}}));
  EXPECT_FALSE(WithPhases({{.Name = "", .Runs = 1, .Windows = 1}}));
  EXPECT_TRUE(WithPhases({{.Name = "", .Runs = 1, .Windows = 2}}));
  EXPECT_FALSE(WithPhases({{.Name = "", .Runs = 10, .Windows = 19}}));
  EXPECT_TRUE(WithPhases({{.Name = "", .Runs = 10, .Windows = 20}}));
  // The windows of all phases count, and no run counts twice.
  EXPECT_TRUE(WithPhases({{.Name = "", .Runs = 5, .Windows = 5},
                          {.Name = "loading", .Runs = 5, .Windows = 5}}));
  EXPECT_FALSE(WithPhases({{.Name = "", .Runs = 5, .Windows = 5},
                           {.Name = "loading", .Runs = 5, .Windows = 4}}));
}

TEST(RunLayoutTest, AsManyWindowsAsBinsStayAsTheyAre) {
  std::vector<WindowTouches> Some;
  for (uint64_t I = 0; I != 20; ++I)
    Some.push_back({I + 1, 64 * I, I, I});
  const RunLayout Layout(windows(32));
  ContextTouches Laid = Layout.layOut(objects(3, Some));
  EXPECT_EQ(Laid.Objects.First, 3u);
  EXPECT_EQ(Laid.Objects.Granules, 100u);
  EXPECT_EQ(Laid.Objects.TouchedGranules, 10u);
  ASSERT_EQ(Laid.Objects.Windows.size(), 20u);
  for (uint64_t I = 0; I != 20; ++I) {
    // Without bursts, they may have touched what the windows did.
    EXPECT_EQ(Laid.Objects.Windows[I], (WindowTouches{I + 1, 64 * I, I, I}));
  }
  EXPECT_TRUE(Laid.Pages.empty());
}

TEST(RunLayoutTest, AWindowLiesInAllBinsOfItsShareOfTheRun) {
  // Of 16 ms, the first takes 8, the second 6 and the third 2.
  const RunLayout Layout({{8000, 0, ""}, {6000, 0, ""}, {2000, 0, ""}});
  ASSERT_EQ(Layout.grid().Phases.size(), 1u);
  EXPECT_EQ(Layout.grid().Phases[0], (TouchPhase{"", 1, 3, 16000, 0, 0}));
  auto Bins = bins(Layout, objects(0, {{4, 64, 4}, {0, 0, 0}, {6, 60, 1}}));
  for (size_t I = 0; I != 32; ++I)
    EXPECT_EQ(Bins[I], I < 16   ? (WindowTouches{4, 64, 4, 4})
                       : I < 28 ? (WindowTouches{})
                                : (WindowTouches{6, 60, 1, 1}))
        << I;
}

TEST(RunLayoutTest, ABinIsTheMeanOfItsWindows) {
  // Bin 0 has half of window 0, and all of windows 1 and 2.
  std::vector<RawWindow> Windows = windows(64);
  Windows[0].LengthUs = 500;
  Windows[2].LengthUs = 500;
  auto Bins = bins(RunLayout(Windows),
                   objects(0, {{8, 800, 8}, {4, 400, 0}, {8, 800, 4}}));
  // 63 ms make bins of 1.96875 ms: 0.5 ms, 1 ms, and 0.46875 of the third.
  EXPECT_EQ(Bins[0].Live, 6u);
  EXPECT_EQ(Bins[0].LiveBytes, 600u);
  EXPECT_EQ(Bins[0].Touched, 3u);
}

TEST(RunLayoutTest, WhatIsFarIsLaidOutLikeWhatIsTouched) {
  // Two windows of half a bin each: of the second only the burst is not known.
  std::vector<RawWindow> Windows = windows(64);
  Windows[0].BurstUs = 100;
  std::vector<WindowTouches> Some(64, {8, 80, 2, 0, 4, 0});
  Some[0] = {8, 80, 2, 1, 2, 6};
  auto Bins = bins(RunLayout(Windows), objects(0, Some));
  EXPECT_EQ(Bins[0].Far, 3u);
  EXPECT_EQ(Bins[1].Far, 4u);
  EXPECT_EQ(Bins[0].FarInBurst, 6u);
  EXPECT_EQ(Bins[1].FarInBurst, 6u);
  // Without bursts, the windows tell.
  Bins = bins(RunLayout(windows(64)),
              objects(0, std::vector<WindowTouches>(64, {8, 80, 2, 0, 4, 0})));
  EXPECT_EQ(Bins[5], (WindowTouches{8, 80, 2, 2, 4, 4}));
  // Sums of runs.
  TouchSums Sums;
  const RunLayout Layout(windows(32));
  for (unsigned Run = 0; Run != 3; ++Run)
    Sums.add(7, Sums.addGrid(Layout.grid()),
             Layout.layOut(objects(3, {{8, 80, 2, 0, 4, 0}})));
  EXPECT_EQ(Sums.sums().Touches.Contexts[0].Objects.Windows[0],
            (WindowTouches{24, 240, 6, 6, 12, 12}));
}

TEST(RunLayoutTest, WhatIsBornIsLaidOutLikeWhatIsTouched) {
  // Two windows of half a bin each: of the second only the burst is not known.
  std::vector<RawWindow> Windows = windows(64);
  Windows[0].BurstUs = 100;
  std::vector<WindowTouches> Some(64, {8, 80, 4, 0, 0, 0, 2, 0, 6, 0});
  Some[0] = {8, 80, 4, 3, 0, 0, 4, 2, 0, 4};
  auto Bins = bins(RunLayout(Windows), objects(0, Some));
  EXPECT_EQ(Bins[0], (WindowTouches{8, 80, 4, 3, 0, 0, 3, 2, 3, 4}));
  EXPECT_EQ(Bins[1], (WindowTouches{8, 80, 4, 3, 0, 0, 2, 2, 6, 4}));
  // Without bursts, the windows tell.
  Bins = bins(RunLayout(windows(64)),
              objects(0, std::vector<WindowTouches>(
                             64, {8, 80, 4, 0, 0, 0, 2, 0, 6, 0})));
  EXPECT_EQ(Bins[5], (WindowTouches{8, 80, 4, 4, 0, 0, 2, 2, 6, 6}));
  // Sums of runs, and what is taken to be touched all the time.
  TouchSums Sums;
  const RunLayout Layout(windows(32));
  for (unsigned Run = 0; Run != 3; ++Run)
    Sums.add(7, Sums.addGrid(Layout.grid()),
             Layout.layOut(objects(3, {{8, 80, 4, 0, 0, 0, 2, 0, 6, 0}})));
  EXPECT_EQ(Sums.sums().Touches.Contexts[0].Objects.Windows[0],
            (WindowTouches{24, 240, 12, 12, 0, 0, 6, 6, 18, 18}));
  Sums.touchAll(7);
  EXPECT_EQ(Sums.sums().Touches.Contexts[0].Objects.Windows[0],
            (WindowTouches{24, 240, 24, 24}));
}

TEST(RunLayoutTest, SumsStayWhereWindowsAreShorterThanBins) {
  // An object that lives in every tenth window only.
  std::vector<WindowTouches> Some;
  for (uint64_t I = 0; I != 320; ++I)
    Some.push_back(I % 10 ? WindowTouches{} : WindowTouches{1, 48, 1, 0});
  auto Bins = bins(RunLayout(windows(320)), objects(0, Some));
  EXPECT_EQ(sum(Bins, &WindowTouches::Live), 3u);
  EXPECT_EQ(sum(Bins, &WindowTouches::LiveBytes), 3 * 48u);
  EXPECT_EQ(sum(Bins, &WindowTouches::Touched), 3u);
}

TEST(RunLayoutTest, GranulesOfRunsWithFewWindowsCountAsMuch) {
  ContextTouches Laid =
      RunLayout(windows(8)).layOut(objects(0, {{1, 640, 1}, {1, 640, 0}}));
  EXPECT_EQ(Laid.Objects.Granules, 400u);
  EXPECT_EQ(Laid.Objects.TouchedGranules, 40u);
}

TEST(RunLayoutTest, EachPhaseHasBinsOfItsOwnInTheOrderOfNames) {
  std::vector<RawWindow> Windows = windows(6);
  Windows[1].Phase = Windows[4].Phase = "query";
  Windows[2].Phase = "build";
  const RunLayout Layout(Windows);
  ASSERT_EQ(Layout.grid().Phases.size(), 3u);
  EXPECT_EQ(Layout.grid().Phases[0], (TouchPhase{"", 1, 3, 3000, 0, 0}));
  EXPECT_EQ(Layout.grid().Phases[1], (TouchPhase{"build", 1, 1, 1000, 0, 0}));
  EXPECT_EQ(Layout.grid().Phases[2], (TouchPhase{"query", 1, 2, 2000, 0, 0}));
  auto Bins =
      bins(Layout, objects(1, {{2, 2, 1}, {3, 3, 3}, {0, 0, 0}, {9, 9, 0}}));
  for (size_t I = 0; I != 96; ++I)
    EXPECT_EQ(Bins[I].Live, I < 32 ? 0u : I < 64 ? 3u : I < 80 ? 2u : 9u) << I;
}

TEST(RunLayoutTest, BurstsTellOfWindowsThatEndedWithNone) {
  std::vector<RawWindow> Windows = windows(32);
  Windows[3].BurstUs = Windows[5].BurstUs = 2000;
  const RunLayout Layout(Windows);
  EXPECT_EQ(Layout.grid().Phases[0], (TouchPhase{"", 1, 32, 32000, 2, 4000}));
  std::vector<WindowTouches> Some(32, {100, 6400, 80, 0});
  Some[3].TouchedInBurst = 10;
  Some[5].TouchedInBurst = 30;
  // Fewer were touched in the whole window than in an average burst.
  Some[20].Touched = 5;
  auto Bins = bins(Layout, objects(0, Some));
  EXPECT_EQ(Bins[3].TouchedInBurst, 10u);
  EXPECT_EQ(Bins[5].TouchedInBurst, 30u);
  EXPECT_EQ(Bins[6].TouchedInBurst, 20u);
  EXPECT_EQ(Bins[20].TouchedInBurst, 5u);
  EXPECT_EQ(Bins[21].TouchedInBurst, 20u);
  // What lived at no burst may have been touched as much as in the windows.
  auto Other = bins(Layout, objects(9, {{10, 640, 7, 0}}));
  EXPECT_EQ(Other[9].TouchedInBurst, 7u);
}

TEST(RunLayoutTest, WindowsOfNoLengthAndOfTheGreatestAreTaken) {
  EXPECT_EQ(bins(RunLayout(windows(2, 0)), objects(0, {{1, 1, 1}, {2, 2, 2}})),
            bins(RunLayout(windows(2)), objects(0, {{1, 1, 1}, {2, 2, 2}})));
  auto Bins = bins(RunLayout(windows(2000, MaxTouchNumber)),
                   objects(0, {{MaxTouchNumber, MaxTouchNumber, 1}}));
  EXPECT_LE(Bins[0].Live, MaxTouchNumber);
  EXPECT_GT(Bins[0].Live, 0u);
  EXPECT_TRUE(RunLayout({}).grid().empty());
}

namespace {
/// A run, and what it says of three contexts.
struct RandomRun {
  std::vector<RawWindow> Windows;
  std::vector<ContextTouches> Contexts;
};
} // namespace

static UnitTouches randomUnits(std::mt19937 &Random, size_t NumWindows) {
  UnitTouches Result;
  if (Random() % 4 == 0)
    return Result;
  Result.First = Random() % NumWindows;
  Result.Windows.resize(1 + Random() % (NumWindows - Result.First));
  for (WindowTouches &W : Result.Windows) {
    W.Live = 1 + Random() % (Random() % 2 ? 3 : 100000);
    W.LiveBytes = W.Live * (Random() % 200);
    W.Touched = Random() % (W.Live + 1);
    W.TouchedInBurst = Random() % (W.Touched + 1);
    W.Born = Random() % (W.Touched + 1);
    W.BornInBurst = Random() % (std::min(W.Born, W.TouchedInBurst) + 1);
    W.AmongBorn = Random() % (W.Live - W.Born + 1);
    W.AmongBornInBurst = Random() % (W.Live - W.BornInBurst + 1);
    W.Far = Random() % (W.Live - W.touchedAgain() + 1);
    W.FarInBurst = Random() % (W.Live - W.touchedAgainInBurst() + 1);
  }
  Result.Granules = 1 + Random() % 1000;
  Result.TouchedGranules = Random() % (Result.Granules + 1);
  return Result;
}

static RandomRun randomRun(std::mt19937 &Random) {
  RandomRun Result;
  for (size_t I = 1 + Random() % 70; I != 0; --I)
    Result.Windows.push_back({Random() % 50000, Random() % 3 ? 0 : Random() % 9,
                              Random() % 3   ? ""
                              : Random() % 2 ? "a"
                                             : "b"});
  for (size_t I = 0; I != 3; ++I)
    Result.Contexts.push_back({randomUnits(Random, Result.Windows.size()),
                               randomUnits(Random, Result.Windows.size())});
  return Result;
}

static void add(TouchSums &Sums, const RandomRun &Run) {
  const RunLayout Layout(Run.Windows, Run.Windows.size() % 2 == 0,
                         UsualPageBytes << Run.Windows.size() % 5);
  auto Places = Sums.addGrid(Layout.grid());
  for (size_t I = 0; I != Run.Contexts.size(); ++I) {
    ContextTouches Laid = Layout.layOut(Run.Contexts[I]);
    Laid.Objects.noteSampling(1, 1 + Run.Windows.size() % 3);
    Sums.add(I, Places, Laid);
  }
}

static void add(TouchSums &Sums, const TouchSums &Others) {
  const TouchesById All = Others.sums();
  auto Places = Sums.addGrid(All.Touches.Grid);
  for (size_t I = 0; I != All.Ids.size(); ++I)
    Sums.add(All.Ids[I], Places, All.Touches.Contexts[I]);
}

static bool operator==(const TouchSums &A, const TouchSums &B) {
  auto Units = [](const UnitTouches &X, const UnitTouches &Y) {
    return std::tie(X.First, X.Windows, X.Granules, X.TouchedGranules,
                    X.Estimated) == std::tie(Y.First, Y.Windows, Y.Granules,
                                             Y.TouchedGranules, Y.Estimated);
  };
  const TouchesById X = A.sums(), Y = B.sums();
  return X.Ids == Y.Ids && X.Touches.Grid == Y.Touches.Grid &&
         std::equal(X.Touches.Contexts.begin(), X.Touches.Contexts.end(),
                    Y.Touches.Contexts.begin(), Y.Touches.Contexts.end(),
                    [&](const ContextTouches &C, const ContextTouches &D) {
                      return Units(C.Objects, D.Objects) &&
                             Units(C.Pages, D.Pages);
                    });
}

TEST(TouchSumsTest, WhatWasTouchedIsNoMoreThanWhatLived) {
  std::mt19937 Random(1);
  for (unsigned I = 0; I != 200; ++I) {
    TouchSums Sums;
    add(Sums, randomRun(Random));
    const TouchesById All = Sums.sums();
    for (const ContextTouches &C : All.Touches.Contexts)
      for (const UnitTouches *Units : {&C.Objects, &C.Pages}) {
        EXPECT_LE(Units->TouchedGranules, Units->Granules);
        EXPECT_LE(Units->First + Units->Windows.size(),
                  All.Touches.Grid.numBins());
        if (Units->empty())
          continue;
        EXPECT_NE(Units->Windows.front().Live, 0u);
        EXPECT_NE(Units->Windows.back().Live, 0u);
        for (const WindowTouches &W : Units->Windows) {
          EXPECT_LE(W.Touched, W.Live);
          EXPECT_LE(W.TouchedInBurst, W.Touched);
          EXPECT_LE(W.Born, W.Touched);
          EXPECT_LE(W.BornInBurst, std::min(W.Born, W.TouchedInBurst));
          EXPECT_LE(W.AmongBorn, W.Live - W.Born);
          EXPECT_LE(W.AmongBornInBurst, W.Live - W.BornInBurst);
          EXPECT_LE(W.Far, W.Live - W.touchedAgain());
          EXPECT_LE(W.FarInBurst, W.Live - W.touchedAgainInBurst());
        }
      }
  }
}

/// One bin in each window of a run of \p Bins windows.
static std::vector<WindowTouches> same(size_t Bins, const WindowTouches &W) {
  return std::vector<WindowTouches>(Bins, W);
}

namespace {
/// A context that is of several binaries, each with a run of its own.
struct SharedContext {
  TouchSums Sums;
  std::vector<std::unique_ptr<TouchSums::ContextSums>> Parts;

  void add(const ContextTouches &Touches, uint64_t Estimated = 0) {
    const RunLayout Layout(
        std::vector<RawWindow>(BinsPerPhase, RawWindow{1000, 5, ""}));
    const auto Places = Sums.addGrid(Layout.grid());
    ContextTouches Laid = Layout.layOut(Touches);
    Laid.Objects.Estimated = Estimated;
    Sums.add(7, Places, Laid);
    Parts.push_back(std::make_unique<TouchSums::ContextSums>());
    TouchSums::add(*Parts.back(), Places, Laid);
  }
  bool raise() {
    std::vector<const TouchSums::ContextSums *> PartSums;
    for (const auto &Part : Parts)
      PartSums.push_back(Part.get());
    return Sums.raiseTo(7, PartSums);
  }
  std::vector<WindowTouches> bins() const {
    return Sums.sums().Touches.Contexts.at(0).Objects.Windows;
  }
};
} // namespace

TEST(TouchSumsTest, FewBusyObjectsOfOneBinaryCountAsAllOfThem) {
  SharedContext C;
  C.add(objects(0, same(BinsPerPhase, {10000, 640000, 0, 0})));
  C.add(objects(0, same(BinsPerPhase / 2, {10, 640, 10, 5})));
  EXPECT_TRUE(C.raise());
  const std::vector<WindowTouches> Bins = C.bins();
  EXPECT_EQ(Bins[0].Live, 10010u);
  EXPECT_EQ(Bins[0].Touched, 10010u);
  EXPECT_EQ(Bins[0].TouchedInBurst, 5005u);
  // It had none there.
  EXPECT_EQ(Bins.back().Touched, 0u);
}

TEST(TouchSumsTest, LikeBinariesDoNotMakeEachOtherBusy) {
  SharedContext C;
  for (const uint64_t Touched : {4, 6, 5})
    C.add(objects(0, same(BinsPerPhase, {1000, 64000, Touched, 0})));
  const std::vector<WindowTouches> Before = C.bins();
  EXPECT_FALSE(C.raise());
  EXPECT_EQ(C.bins(), Before);
}

TEST(TouchSumsTest, WhatChanceMayHaveMadeRaisesNothing) {
  // In each window one of ten is touched, but only two objects were looked at.
  auto IsRaised = [](uint64_t LookedAt) {
    SharedContext C;
    C.add(objects(0, same(BinsPerPhase, {100000, 6400000, 0, 0})));
    C.add(objects(0, same(BinsPerPhase, {100, 6400, 10, 0})),
          100 * BinsPerPhase - LookedAt);
    return C.raise();
  };
  EXPECT_FALSE(IsRaised(2));
  EXPECT_TRUE(IsRaised(100));
}

TEST(TouchSumsTest, WhatIsRaisedIsNotFarNorMoreThanLived) {
  WindowTouches Idle{100, 6400, 90, 0};
  Idle.Born = 90;
  Idle.Far = 100;
  SharedContext C;
  C.add(objects(0, same(BinsPerPhase, Idle)));
  C.add(objects(0, same(BinsPerPhase, {2, 128, 2, 2})));
  EXPECT_TRUE(C.raise());
  for (const WindowTouches &W : C.bins()) {
    EXPECT_EQ(W.Touched, W.Live);
    EXPECT_EQ(W.Born, 90u);
    EXPECT_LE(W.Far, W.Live - W.touchedAgain());
  }
}

TEST(TouchSumsTest, NeitherOrderNorGroupingOfRunsMatters) {
  std::mt19937 Random(2);
  for (unsigned I = 0; I != 40; ++I) {
    const RandomRun Runs[] = {randomRun(Random), randomRun(Random),
                              randomRun(Random)};
    TouchSums All;
    for (const RandomRun &R : Runs)
      add(All, R);
    size_t Order[] = {0, 1, 2};
    do {
      TouchSums Apart, Two, Last, Joined;
      for (size_t R : Order)
        add(Apart, Runs[R]);
      EXPECT_TRUE(Apart == All);
      add(Two, Runs[Order[0]]);
      add(Two, Runs[Order[1]]);
      add(Last, Runs[Order[2]]);
      add(Joined, Last);
      add(Joined, Two);
      EXPECT_TRUE(Joined == All);
    } while (std::next_permutation(std::begin(Order), std::end(Order)));
  }
}

TEST(TouchSumsTest, SumsStopAtTheGreatestNumber) {
  RandomRun Run;
  Run.Windows = windows(32);
  Run.Contexts = {objects(
      0, {{MaxTouchNumber, MaxTouchNumber, MaxTouchNumber, MaxTouchNumber}})};
  TouchSums Sums;
  add(Sums, Run);
  add(Sums, Run);
  const UnitTouches Sum = Sums.sums().Touches.Contexts[0].Objects;
  EXPECT_EQ(Sum.Windows[0].Live, MaxTouchNumber);
  EXPECT_EQ(Sum.Windows[0].Touched, MaxTouchNumber);
}
