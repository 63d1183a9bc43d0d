//===- unit/Placement/PlacementTest.cpp - What the model calls cold -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Placement/Placement.h"
#include "OneRun.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <unordered_set>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;
using thermocline::test::oneRun;

namespace {

/// \p Objects of \p Bytes that live all the time. \p Touched of them are
/// touched in each window, and \p InBurst in its burst.
ContextTouches always(uint64_t Objects, uint64_t Bytes, uint64_t Touched,
                      uint64_t InBurst) {
  ContextTouches Result;
  Result.Objects.Windows.assign(BinsPerPhase,
                                {Objects, Objects * Bytes, Touched, InBurst});
  return Result;
}

/// \p Objects of 64 bytes that live all the time. \p Early of them are touched
/// in each burst up to bin number \p Until, and \p Late from there on.
ContextTouches changing(uint64_t Objects, uint64_t Early, size_t Until,
                        uint64_t Late) {
  ContextTouches Result = always(Objects, 64, Late, Late);
  for (size_t I = 0; I != Until; ++I)
    Result.Objects.Windows[I] = {Objects, Objects * 64, Early, Early};
  return Result;
}

Placement placeAll(const GridTouches &Touches, PlacementOptions Options = {}) {
  return cantFail(place(Touches, Options));
}

std::vector<bool> coldOf(const Placement &P) {
  std::vector<bool> Result;
  for (const PlacedContext &C : P.Contexts)
    Result.push_back(C.Cold);
  return Result;
}

TEST(PlacementTest, IdleObjectsOfASizeClassAreColdBesideBusyOnes) {
  Placement P = placeAll(
      {oneRun(), {always(10000, 64, 10000, 5000), always(90000, 64, 0, 0)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
  // All pages were touched, and a tenth of them is left.
  EXPECT_NEAR(P.Predicted.AtWindow.Before, 6.4e6, 1e5);
  EXPECT_NEAR(P.Predicted.AtWindow.After, 0.64e6, 1e4);
  EXPECT_EQ(P.Predicted.Goal, Horizon::Burst);
  EXPECT_NEAR(P.Contexts[1].Benefit,
              P.Predicted.AtBurst.Before - P.Predicted.AtBurst.After, 1);
}

TEST(PlacementTest, LargerPagesHaveMoreObjectsThatAreTouched) {
  // One of 1,000 is touched: nearly no page of 4 KiB has two of these.
  GridTouches Touches = {
      oneRun(), {always(10000, 64, 200, 100), always(90000, 64, 0, 0)}};
  const Placement Small = placeAll(Touches);
  Touches.Grid.PageBytes = 65536;
  const Placement Large = placeAll(Touches);
  EXPECT_NEAR(Small.Predicted.AtBurst.Before, 100 * 4096, 15000);
  EXPECT_NEAR(Large.Predicted.AtBurst.Before,
              98 * 65536 * (1 - std::exp(-100.0 / 98)), 65536);
  // The ten pages that 10,000 objects fill have some each.
  EXPECT_EQ(coldOf(Large), (std::vector<bool>{false, true}));
  EXPECT_NEAR(Large.Predicted.AtBurst.After, 640000, 10000);
  // Objects of four pages of 4 KiB share larger ones: each has four.
  Touches.Contexts = {always(1000, 16384, 500, 250), always(3000, 16384, 0, 0)};
  Touches.Sizes = {{16384, 16384}, {16384, 16384}};
  const Prediction OfLarge = placeAll(Touches).Predicted;
  EXPECT_NEAR(OfLarge.AtBurst.Before,
              4000 * 16384 * (1 - std::pow(1 - 250.0 / 4000, 4)), 1e5);
  EXPECT_NEAR(OfLarge.AtBurst.After,
              1000 * 16384 * (1 - std::pow(1 - 250.0 / 1000, 4)), 1e5);
}

TEST(PlacementTest, WhatSharesNoSizeClassWithBusyObjectsIsLeftAlone) {
  Placement P = placeAll(
      {oneRun(), {always(10000, 64, 10000, 5000), always(90000, 96, 0, 0)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, false}));
  EXPECT_EQ(P.Predicted.AtWindow.Before, P.Predicted.AtWindow.After);
}

TEST(PlacementTest, BusyObjectsAreNotColdBesideIdleOnesOfManySizes) {
  // Most classes of the idle ones have nothing busy, so they are not for a
  // split. In which order contexts are listed does not matter.
  const ContextTouches Idle = always(54000, 340, 0, 0),
                       Small = always(3000, 160, 3000, 3000),
                       Large = always(3000, 320, 3000, 3000);
  const SizeRange All = {16, 1000}, OfSmall = {160, 160}, OfLarge = {320, 320};
  GridTouches Touches = {oneRun(), {Small, Large, Idle}};
  Touches.Sizes = {OfSmall, OfLarge, All};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, false, true}));
  Touches.Contexts = {Idle, Small, Large};
  Touches.Sizes = {All, OfSmall, OfLarge};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{true, false, false}));
}

/// \p Touches, of which nothing lives before bin number \p First, and all from
/// bin number \p Until on.
ContextTouches growing(ContextTouches Touches, size_t First, size_t Until) {
  for (size_t I = 0; I != Until; ++I) {
    WindowTouches &W = Touches.Objects.Windows[I];
    const uint64_t Part = I < First ? 0 : I + 1 - First, All = Until - First;
    W.LiveBytes = W.LiveBytes * Part / All;
    W.Live = W.Live * Part / All;
    W.Touched = W.TouchedInBurst = 0;
  }
  return Touches;
}

TEST(PlacementTest, WhatWasAllocatedAtOtherTimesSharesNoColdPages) {
  // All of the third context is touched in a quarter of the time, and nothing
  // of the second.
  const ContextTouches Busy = growing(always(10000, 64, 10000, 10000), 0, 8),
                       Idle = always(30000, 64, 0, 0),
                       Rare = changing(60000, 0, 24, 60000);
  const auto After = [&](const ContextTouches &OfIdle,
                         const ContextTouches &OfRare) {
    const Placement P = placeAll({oneRun(), {Busy, OfIdle, OfRare}});
    EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true, true}));
    return P.Predicted.AtBurst.After;
  };
  const double Least = 0.64e6 * 24 / 32 + 3.84e6 / 4, IdleBytes = 1.92e6 / 4;
  EXPECT_NEAR(After(growing(Idle, 0, 4), growing(Rare, 4, 8)), Least, 5e4);
  // At the same time, they do.
  EXPECT_NEAR(After(growing(Idle, 0, 8), growing(Rare, 0, 8)),
              Least + IdleBytes, 5e4);
  // What was idle died, and came again where nobody knows.
  ContextTouches Again = growing(Idle, 0, 4);
  Again.Objects.Windows[12] = {};
  EXPECT_GT(After(Again, growing(Rare, 4, 8)), Least + IdleBytes / 2);
}

TEST(PlacementTest, IdleObjectsFarFromBusyOnesAreLeftAlone) {
  ContextTouches Far = always(90000, 64, 0, 0), Near = always(10000, 64, 0, 0);
  for (WindowTouches &W : Far.Objects.Windows)
    W.Far = W.FarInBurst = 90000;
  Placement P = placeAll({oneRun(), {always(10000, 64, 10000, 5000), Far}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, false}));
  EXPECT_NEAR(P.Predicted.AtWindow.Before, 0.64e6, 1e4);
  EXPECT_NEAR(P.Predicted.AtBurst.Before, 0.64e6, 1e4);
  EXPECT_NEAR(P.Predicted.SmallBytes, 6.4e6, 1);
  P = placeAll({oneRun(), {always(10000, 64, 10000, 5000), Far, Near}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, false, true}));
  EXPECT_NEAR(P.Predicted.AtBurst.Before, 1.28e6, 1e4);
  EXPECT_NEAR(P.Predicted.AtBurst.After, 0.64e6, 1e4);
  // Far from what bursts touch is not far from what windows do.
  for (WindowTouches &W : Far.Objects.Windows)
    W.Far = 0;
  P = placeAll({oneRun(), {always(10000, 64, 10000, 5000), Far}});
  EXPECT_NEAR(P.Predicted.AtWindow.Before, 6.4e6, 1e5);
  EXPECT_NEAR(P.Predicted.AtBurst.Before, 0.64e6, 1e4);
}

TEST(PlacementTest, BusyObjectsThatLieTogetherTouchFewPages) {
  // A quarter of them, and a quarter of the idle ones between them.
  ContextTouches Busy = always(40000, 64, 10000, 10000),
                 Idle = always(40000, 64, 0, 0);
  for (size_t I = 0; I != BinsPerPhase; ++I)
    for (ContextTouches *C : {&Busy, &Idle}) {
      WindowTouches &W = C->Objects.Windows[I];
      W.Far = W.FarInBurst = 30000;
    }
  Placement P = placeAll({oneRun(), {Busy, Idle}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
  EXPECT_NEAR(P.Predicted.AtBurst.Before, 1.28e6, 1e4);
  EXPECT_NEAR(P.Predicted.AtBurst.After, 0.64e6, 1e4);
}

/// \p Touches, of which \p InWindow are born in each window, and \p InBurst in
/// its burst, besides what is touched. They lie side by side, or in holes on \p
/// Pages of all pages in a window, and on \p PagesInBurst in a burst.
ContextTouches replaced(ContextTouches Touches, uint64_t InWindow,
                        uint64_t InBurst, double Pages = 0,
                        double PagesInBurst = 0) {
  for (WindowTouches &W : Touches.Objects.Windows) {
    W.Touched = std::min(W.Touched + InWindow, W.Live);
    W.TouchedInBurst = std::min(W.TouchedInBurst + InBurst, W.Live);
    W.Born = InWindow;
    W.BornInBurst = InBurst;
    auto Among = [&](double Part, uint64_t Born) {
      const auto Units =
          static_cast<uint64_t>(Part * static_cast<double>(W.Live));
      return Units > Born ? Units - Born : 0;
    };
    W.AmongBorn = Among(Pages, InWindow);
    W.AmongBornInBurst = Among(PagesInBurst, InBurst);
  }
  return Touches;
}

TEST(PlacementTest, WhatIsTouchedByItsBirthAloneIsCold) {
  const ContextTouches Busy = always(10000, 64, 10000, 5000),
                       Idle = always(90000, 64, 0, 0);
  const Placement P = placeAll(
      {oneRun(), {replaced(Busy, 1000, 100), replaced(Idle, 9000, 900)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
  // Before, what is born is on pages that are touched anyhow. Then, cold ones
  // have pages of their own.
  EXPECT_NEAR(P.Predicted.AtBurst.Before, 6.16e6, 1e4);
  EXPECT_NEAR(P.Predicted.AtBurst.After, 0.64e6 + 900 * 64, 1e4);
  EXPECT_NEAR(P.Predicted.AtWindow.After, 0.64e6 + 9000 * 64, 1e4);
}

TEST(PlacementTest, WhatIsBornInHolesTouchesThePagesOfOthers) {
  const ContextTouches Busy = always(10000, 64, 10000, 5000),
                       Idle = always(90000, 64, 0, 0);
  // In windows as many as there are pages touch 63 % of them.
  for (auto [InBurst, Part] : {std::pair(2, 0.0014), std::pair(900, 0.4744)}) {
    const Placement P =
        placeAll({oneRun(), {Busy, replaced(Idle, 1406, InBurst, 0.63, Part)}});
    EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true})) << InBurst;
    EXPECT_NEAR(P.Predicted.AtBurst.After, 0.64e6 + Part * 90000 * 64, 1e4)
        << InBurst;
    EXPECT_NEAR(P.Predicted.AtWindow.After, 0.64e6 + 0.63 * 90000 * 64, 1e4)
        << InBurst;
  }
  // Where all pages have some, nothing is gained.
  EXPECT_EQ(
      coldOf(placeAll({oneRun(), {Busy, replaced(Idle, 9000, 9000, 1, 1)}})),
      (std::vector<bool>{false, false}));
}

TEST(PlacementTest, AHeapThatGrowsTouchesWhatIsNewAlone) {
  // In each window a tenth is born, and nothing else is touched.
  const ContextTouches Grows = replaced(always(50000, 64, 0, 0), 5000, 500);
  const Prediction P = placeAll({oneRun(), {Grows, Grows}}).Predicted;
  EXPECT_NEAR(P.AtWindow.Before, 10000 * 64, 1);
  EXPECT_NEAR(P.AtBurst.Before, 1000 * 64, 1);
}

TEST(PlacementTest, LongBurstsHaveMoreBirths) {
  TouchGrid Long = oneRun();
  Long.Phases[0].BurstUs *= 4;
  const ContextTouches Grows = replaced(always(50000, 64, 0, 0), 5000, 500);
  EXPECT_NEAR(placeAll({Long, {Grows}}).Predicted.AtBurst.Before, 125 * 64, 50);
}

TEST(PlacementTest, AListThatIsWalkedOftenIsNotCold) {
  // Each node is visited once in ten bursts; what lies beside it never is.
  Placement P =
      placeAll({oneRun(),
                {always(200000, 64, 200000, 20000), always(200000, 64, 0, 0)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
  // Alone it has nothing to be parted from.
  EXPECT_EQ(coldOf(placeAll({oneRun(), {always(200000, 64, 200000, 20000)}})),
            std::vector<bool>{false});
}

TEST(PlacementTest, WhatIsVisitedOnceInEachWindowGainsNothing) {
  Placement P = placeAll(
      {oneRun(),
       {always(50000, 64, 50000, 500), always(100000, 64, 100000, 1020),
        always(20000, 64, 20000, 190)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, false, false}));
}

TEST(PlacementTest, ObjectsOfAPageShareWithNobody) {
  ContextTouches Buffers;
  Buffers.Pages.Windows.assign(BinsPerPhase, {1000, 4096000, 0, 0});
  ContextTouches Busy;
  Busy.Pages.Windows.assign(BinsPerPhase, {100, 409600, 100, 50});
  Placement P = placeAll({oneRun(), {Buffers, Busy}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, false}));
  EXPECT_NEAR(P.Predicted.AtWindow.Before, 409600, 1);
  EXPECT_NEAR(P.Predicted.AtBurst.After, 204800, 1);
  EXPECT_NEAR(P.Predicted.LiveBytes, 4505600, 1);
  EXPECT_EQ(P.Predicted.SmallBytes, 0);
}

TEST(PlacementTest, StartUpDataIsColdThoughItWasBusy) {
  ContextTouches StartUp = always(50000, 64, 0, 0);
  for (size_t I = 0; I != 2; ++I)
    StartUp.Objects.Windows[I] = {50000, 50000 * 64, 50000, 50000};
  // It is touched less in the mean than what every query may touch.
  Placement P = placeAll(
      {oneRun(), {always(50000, 64, 50000, 2500), std::move(StartUp)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
}

TEST(PlacementTest, WhatIsIdleInTheEndIsColdAmongWhatChanges) {
  // In the mean, the second is busier than the first.
  EXPECT_EQ(coldOf(placeAll(
                {oneRun(),
                 {always(40000, 64, 2000, 2000), changing(20000, 20000, 18, 0),
                  changing(40000, 2000, 16, 40000)}})),
            (std::vector<bool>{false, true, false}));
}

TEST(PlacementTest, WhatChangesInOtherWaysIsParted) {
  // The pages that they would touch tell less of these than their objects.
  const WorkingSet Found = placeAll({oneRun(),
                                     {changing(60000, 3000, 27, 60000),
                                      changing(60000, 60000, 13, 600),
                                      changing(60000, 3000, 19, 600)}})
                               .Predicted.AtBurst;
  EXPECT_LT(Found.After, 0.95 * Found.Before);
}

TEST(PlacementTest, ANamedPhaseIsLookedAtAlone) {
  TouchGrid Grid = oneRun();
  Grid.Phases.push_back(Grid.Phases[0]);
  Grid.Phases[1].Name = "queries";
  // The first is busy outside the phase, the second in it.
  ContextTouches Build, Query;
  Build.Objects.Windows.assign(2 * BinsPerPhase,
                               {50000, 3200000, 50000, 50000});
  Query.Objects.Windows = Build.Objects.Windows;
  for (size_t I = 0; I != BinsPerPhase; ++I) {
    Query.Objects.Windows[I].Touched = 0;
    Query.Objects.Windows[I].TouchedInBurst = 0;
    Build.Objects.Windows[BinsPerPhase + I].Touched = 0;
    Build.Objects.Windows[BinsPerPhase + I].TouchedInBurst = 0;
  }
  GridTouches Touches{Grid, {Build, Query}};
  PlacementOptions Options;
  Options.Phase = "queries";
  EXPECT_EQ(coldOf(placeAll(Touches, Options)),
            (std::vector<bool>{true, false}));
  Options.Phase = "no such";
  Expected<Placement> Wrong = place(Touches, Options);
  ASSERT_FALSE(static_cast<bool>(Wrong));
  EXPECT_EQ(toString(Wrong.takeError()),
            "no run named a phase 'no such', or it was shorter than a window; "
            "there are queries");
}

TEST(PlacementTest, TheGoalDecidesWhatIsCut) {
  // Over a window the first two are alike, over a burst the last two.
  GridTouches Touches{oneRun(),
                      {always(50000, 64, 50000, 50000),
                       always(50000, 64, 50000, 100), always(50000, 64, 0, 0)}};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, true, true}));
  PlacementOptions Memory;
  Memory.Goal = Horizon::Window;
  EXPECT_EQ(coldOf(placeAll(Touches, Memory)),
            (std::vector<bool>{false, false, true}));
}

TEST(PlacementTest, WindowsCountTooIfBurstsAreFew) {
  // As above, in a run of which four moments were looked at, or thirty-two.
  GridTouches Touches{oneRun(),
                      {always(50000, 64, 50000, 50000),
                       always(50000, 64, 50000, 100), always(50000, 64, 0, 0)}};
  TouchPhase &Phase = Touches.Grid.Phases[0];
  Phase.Windows = Phase.Bursts = 4;
  Phase.BurstUs = 20000;
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, false, true}));
  // What was looked at in eight runs counts like a long run.
  Phase.Runs = 8;
  Phase.Windows = Phase.Bursts = 32;
  Phase.BurstUs = 160000;
  Phase.WindowUs *= 8;
  for (ContextTouches &C : Touches.Contexts)
    for (WindowTouches &W : C.Objects.Windows)
      W = {W.Live * 8, W.LiveBytes * 8, W.Touched * 8, W.TouchedInBurst * 8};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, true, true}));
}

TEST(PlacementTest, WithoutBurstsWindowsDecide) {
  TouchGrid Grid = oneRun();
  Grid.Phases[0].Bursts = Grid.Phases[0].BurstUs = 0;
  Placement P =
      placeAll({Grid, {always(50000, 64, 50000, 0), always(50000, 64, 0, 0)}});
  EXPECT_EQ(coldOf(P), (std::vector<bool>{false, true}));
}

TEST(PlacementTest, LongBurstsAreBroughtToTheLengthOfShortOnes) {
  GridTouches Touches{oneRun(), {always(10000, 64, 10000, 1000)}};
  auto AtBurstsOf = [&](uint64_t Us) {
    Touches.Grid.Phases[0].BurstUs = 32 * Us;
    const Prediction P = placeAll(Touches).Predicted;
    EXPECT_NEAR(P.AtWindow.Before, 640000, 1);
    return P.AtBurst.Before;
  };
  EXPECT_NEAR(AtBurstsOf(5000), 640000 * (1 - std::pow(0.9, 64)), 1);
  EXPECT_NEAR(AtBurstsOf(20000), 640000 * (1 - std::pow(0.9, 16)), 1);
  // What short ones would have touched, had they been longer, nobody knows.
  EXPECT_NEAR(AtBurstsOf(2000), 640000 * (1 - std::pow(0.9, 64)), 1);
}

TEST(PlacementTest, RunsCountOnceEach) {
  GridTouches Touches{
      oneRun(), {always(10000, 64, 10000, 5000), always(90000, 64, 0, 0)}};
  Prediction One = placeAll(Touches).Predicted;
  TouchPhase &P = Touches.Grid.Phases[0];
  P.Runs *= 2, P.Windows *= 2, P.WindowUs *= 2, P.Bursts *= 2, P.BurstUs *= 2;
  for (ContextTouches &C : Touches.Contexts)
    for (WindowTouches &W : C.Objects.Windows)
      W.Live *= 2, W.LiveBytes *= 2, W.Touched *= 2, W.TouchedInBurst *= 2;
  Prediction Two = placeAll(Touches).Predicted;
  EXPECT_NEAR(One.AtWindow.Before, Two.AtWindow.Before, 10);
  EXPECT_NEAR(One.AtBurst.After, Two.AtBurst.After, 10);
  EXPECT_NEAR(One.LiveBytes, Two.LiveBytes, 1);
}

TEST(PlacementTest, PagesOfLargeObjectsAreThoseOfTheRunsThatKnowThem) {
  // The page table told of the objects of three runs of four.
  ContextTouches Large;
  Large.Pages.Windows.assign(BinsPerPhase, {100, 409600, 50, 25});
  GridTouches Touches{oneRun(), {std::move(Large)}};
  const Prediction One = placeAll(Touches).Predicted;
  TouchPhase &P = Touches.Grid.Phases[0];
  P.Runs = 4, P.Windows *= 4, P.WindowUs *= 4, P.Bursts *= 4, P.BurstUs *= 4;
  P.WatchedRuns = 3;
  const Prediction Four = placeAll(Touches).Predicted;
  EXPECT_NEAR(One.LiveBytes, 409600, 1);
  EXPECT_NEAR(Four.LiveBytes, 409600, 1);
  EXPECT_NEAR(Four.AtWindow.Before, 50 * 4096, 1);
  EXPECT_NEAR(Four.AtBurst.After, One.AtBurst.After, 1);
  const BitVector Hinted(1);
  const auto Shares = cantFail(shareOut(Touches, Hinted, PlacementOptions()));
  EXPECT_NEAR(Shares[0].LargeBytes, 409600, 1);
  EXPECT_NEAR(Shares[0].LargePages, 25 * 4096, 1);
  const auto Bins = cantFail(pictureBins(Touches, Hinted, PlacementOptions()));
  EXPECT_NEAR(Bins[5].Live, 409600, 1);
  EXPECT_NEAR(Bins[5].Before, 25 * 4096, 1);
}

TEST(PlacementTest, NothingIsCertainOfFewObjects) {
  // Two objects that nobody touched in one window may be busy ones.
  ContextTouches Few;
  Few.Objects.Windows = {{2, 128, 0, 0}};
  GridTouches Touches{oneRun(),
                      {always(10000, 64, 10000, 9000), always(90000, 64, 0, 0),
                       std::move(Few)}};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, true, false}));
}

TEST(PlacementTest, NothingIsCertainOfFewObjectsThatStandForMany) {
  // 20,000 idle objects in a tenth of the run, by what two observations tell.
  ContextTouches Few;
  Few.Objects.Windows.assign(1, {20000, 20000 * 64, 0, 0});
  GridTouches Touches{oneRun(),
                      {always(10000, 64, 10000, 9000), std::move(Few)}};
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, true}));
  UnitTouches &Units = Touches.Contexts[1].Objects;
  Units.Estimated = 19998;
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, false}));
  // Two thousand tell enough, of as many.
  Units.Estimated = 18000;
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, true}));
  // Nonsense counts as one.
  Units.Estimated = UINT64_MAX;
  EXPECT_EQ(coldOf(placeAll(Touches)), (std::vector<bool>{false, false}));
}

TEST(PlacementTest, WhatNobodyKnowsTheAccessesOfIsNotCold) {
  GridTouches Touches{oneRun(),
                      {always(10000, 64, 10000, 9000), always(40000, 64, 0, 0),
                       always(20000, 64, 0, 0)}};
  const Placement All = placeAll(Touches);
  EXPECT_EQ(coldOf(All), (std::vector<bool>{false, true, true}));
  Touches.AccessesUnknown = {false, true, false};
  const Placement Known = placeAll(Touches);
  EXPECT_EQ(coldOf(Known), (std::vector<bool>{false, false, true}));
  EXPECT_EQ(Known.Contexts[1].Benefit, 0);
  // It counts as in use.
  EXPECT_GT(Known.Predicted.AtBurst.After, 2 * All.Predicted.AtBurst.After);
  // It would be better beside what is busy while it lives.
  ContextTouches Early = always(40000, 64, 0, 0);
  Early.Objects.Windows.resize(16);
  const GridTouches Changing{
      oneRun(),
      {Early, changing(40000, 0, 16, 40000), changing(40000, 40000, 16, 0)},
      /*Sizes=*/{},
      /*AccessesUnknown=*/{true, false, false}};
  EXPECT_FALSE(coldOf(placeAll(Changing))[0]);
  // Nothing else is to be parted from it, busy or not.
  Touches.AccessesUnknown = {false, true, true};
  EXPECT_EQ(coldOf(placeAll(Touches)),
            (std::vector<bool>{false, false, false}));
}

/// Which are cold of busy objects, and of others beside them.
std::vector<bool> coldBeside(ContextTouches Busy, ContextTouches Other) {
  return coldOf(placeAll({oneRun(), {std::move(Busy), std::move(Other)}}));
}
const std::vector<bool> Neither = {false, false}, TheOther = {false, true};

TEST(PlacementTest, ASizeClassHasToSaveSomePages) {
  // 12.5 KiB of 18.8 KiB, and 18.8 KiB of 25 KiB.
  EXPECT_EQ(coldBeside(always(100, 64, 100, 100), always(200, 64, 0, 0)),
            Neither);
  EXPECT_EQ(coldBeside(always(100, 64, 100, 100), always(300, 64, 0, 0)),
            TheOther);
}

TEST(PlacementTest, ASizeClassHasToSaveAPartOfItsWorkingSet) {
  // A hundredth, and four.
  EXPECT_EQ(
      coldBeside(always(100000, 64, 100000, 100000), always(1000, 64, 0, 0)),
      Neither);
  EXPECT_EQ(
      coldBeside(always(100000, 64, 100000, 100000), always(4000, 64, 0, 0)),
      TheOther);
}

TEST(PlacementTest, AllHintsHaveToSaveAPartOfTheWorkingSet) {
  // Half of the pages of one size class: of all, 0.6 %, and 3 %.
  for (uint64_t Others : {50000, 10000})
    EXPECT_EQ(
        coldOf(placeAll({oneRun(),
                         {always(1000, 64, 1000, 1000), always(1000, 64, 0, 0),
                          always(Others, 200, Others, Others)}})),
        (std::vector<bool>{false, Others == 10000, false}));
}

TEST(PlacementTest, AContextHasToSaveAPartOfItsBytes) {
  // Few pages are touched at all: they are 1/280 of the idle bytes, and 1/200.
  EXPECT_EQ(coldBeside(always(1000, 64, 50, 50), always(640000, 64, 0, 0)),
            Neither);
  EXPECT_EQ(coldBeside(always(1000, 64, 50, 50), always(440000, 64, 0, 0)),
            TheOther);
}

TEST(PlacementTest, AContextThatIsTouchedHasToSaveAPartOfItsOwnPages) {
  // Alone, it would have 85 % of its bytes in the working set, and 70 %.
  EXPECT_EQ(coldBeside(always(50000, 64, 50000, 50000),
                       always(50000, 64, 50000, 1460)),
            Neither);
  EXPECT_EQ(coldBeside(always(50000, 64, 50000, 50000),
                       always(50000, 64, 50000, 930)),
            TheOther);
}

TEST(PlacementTest, SizesThatDoNotFitAreDescribed) {
  EXPECT_EQ(describe({2048, 512}), "2.0 KiB -> 512 B (-75.0 %)");
  EXPECT_EQ(describe({2048, 2048}), "2.0 KiB, nothing to gain");
  EXPECT_EQ(describe({1e300, -5}), "16777216.0 TiB -> 0 B (-100.0 %)");
}

TEST(PlacementTest, ObjectsOfManySizesShareWithThoseOfEachOfTheseSizes) {
  // Idle strings from 16 bytes to 1,000, with a mean of 200, beside busy
  // objects of three sizes.
  GridTouches Touches{oneRun(),
                      {always(50000, 200, 0, 0), always(5000, 48, 5000, 5000),
                       always(5000, 160, 5000, 5000),
                       always(5000, 320, 5000, 5000)}};
  EXPECT_EQ(coldOf(placeAll(Touches)),
            (std::vector<bool>{false, false, false, false}));
  Touches.Sizes = {{16, 1000}, {48, 48}, {160, 160}, {320, 320}};
  Placement P = placeAll(Touches);
  EXPECT_EQ(coldOf(P), (std::vector<bool>{true, false, false, false}));
  // Without hints the strings of these classes are beside busy objects.
  EXPECT_GT(P.Predicted.AtBurst.Before, 1.2 * P.Predicted.AtBurst.After);
  EXPECT_NEAR(P.Predicted.AtBurst.After, 5000 * (48 + 160 + 320), 1);
}

TEST(PlacementTest, SharesAddUpToTheWorkingSet) {
  ContextTouches Large;
  Large.Pages.Windows.assign(BinsPerPhase, {100, 409600, 50, 25});
  GridTouches Touches{oneRun(),
                      {always(10000, 64, 10000, 5000),
                       replaced(always(90000, 64, 50, 40), 700, 90),
                       always(500, 200, 500, 10), std::move(Large)}};
  Placement P = placeAll(Touches);
  BitVector Hinted(4);
  Hinted.set(1);
  EXPECT_TRUE(P.Contexts[1].Cold);
  std::vector<ContextShare> Shares = cantFail(shareOut(Touches, Hinted, {}));
  double Pages = 0;
  for (const ContextShare &S : Shares)
    Pages += S.SmallPages + S.LargePages;
  EXPECT_NEAR(Pages, P.Predicted.AtBurst.After, 1);
  EXPECT_NEAR(Shares[0].TouchedSmallBytes, 320000, 1);
  EXPECT_NEAR(Shares[3].LargePages, 25 * 4096, 1);
  EXPECT_NEAR(Shares[3].LargeBytes, 409600, 1);
}

/// Places objects at random on pages, and touches them at random.
TEST(PlacementTest, ThePredictionIsWhatRandomHeapsTouch) {
  std::mt19937 Random(17);
  auto Chance = [&](double P) {
    return std::uniform_real_distribution<>(0, 1)(Random) < P;
  };
  constexpr size_t Objects = 40000, Bytes = 128, PerPage = 4096 / Bytes;
  for (unsigned Round = 0; Round != 20; ++Round) {
    const size_t NumContexts = 2 + Random() % 20;
    std::vector<double> Rates;
    for (size_t I = 0; I != NumContexts; ++I)
      Rates.push_back(std::pow(10, -4.0 * (Random() % 1000) / 1000));
    std::vector<ContextTouches> Contexts(NumContexts);
    std::vector<size_t> Owner(Objects);
    std::vector<uint64_t> Live(NumContexts), Touched(NumContexts);
    std::vector<bool> IsTouched(Objects);
    for (size_t O = 0; O != Objects; ++O) {
      Owner[O] = Random() % NumContexts;
      IsTouched[O] = Chance(Rates[Owner[O]]);
      ++Live[Owner[O]];
      Touched[Owner[O]] += IsTouched[O];
    }
    for (size_t I = 0; I != NumContexts; ++I)
      Contexts[I] = always(Live[I], Bytes, Touched[I], Touched[I]);
    Placement P = placeAll({oneRun(), Contexts});
    auto Pages = [&](auto Takes) {
      size_t Index = 0;
      std::unordered_set<size_t> Result;
      for (size_t O = 0; O != Objects; ++O)
        if (Takes(Owner[O])) {
          if (IsTouched[O])
            Result.insert(Index / PerPage);
          ++Index;
        }
      return 4096.0 * static_cast<double>(Result.size());
    };
    const double Before = Pages([](size_t) { return true; });
    const double After = Pages([&](size_t C) { return P.Contexts[C].Cold; }) +
                         Pages([&](size_t C) { return !P.Contexts[C].Cold; });
    EXPECT_NEAR(P.Predicted.AtBurst.Before, Before, 0.05 * Before);
    EXPECT_NEAR(P.Predicted.AtBurst.After, After, 0.1 * After);
  }
}

/// No other set of contexts has a working set that is much smaller.
TEST(PlacementTest, TheCutIsNearTheBestOfAllSets) {
  std::mt19937 Random(4);
  for (unsigned Round = 0; Round != 100; ++Round) {
    const size_t NumContexts = 2 + Random() % 8;
    GridTouches Touches;
    Touches.Grid = oneRun();
    for (size_t I = 0; I != NumContexts; ++I) {
      const uint64_t Live = 2000 + Random() % 50000;
      ContextTouches C = always(Live, 64, 0, 0);
      // Some contexts are busy in a part of the run only.
      const size_t First = Random() % 3 ? 0 : Random() % BinsPerPhase;
      const double Part = std::pow(10, -5.0 * (Random() % 1000) / 1000);
      for (size_t W = First; W != BinsPerPhase; ++W)
        C.Objects.Windows[W].Touched = C.Objects.Windows[W].TouchedInBurst =
            static_cast<uint64_t>(Part * static_cast<double>(Live));
      Touches.Contexts.push_back(std::move(C));
    }
    const WorkingSet Found = placeAll(Touches).Predicted.AtBurst;
    double Best = Found.Before;
    for (unsigned Set = 0; Set != 1u << NumContexts; ++Set) {
      BitVector Hinted(NumContexts);
      for (size_t I = 0; I != NumContexts; ++I)
        if (Set >> I & 1)
          Hinted.set(I);
      Best =
          std::min(Best, cantFail(predict(Touches, Hinted, {})).AtBurst.After);
    }
    // What would save little for what it has itself is left where it is.
    EXPECT_LE(Found.After - Best, 16384 + 0.06 * Found.Before)
        << "round " << Round;
  }
}

} // namespace
