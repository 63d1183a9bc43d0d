//===- Runtime/Measure/WindowPlanTest.cpp - When scans are made -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/WindowPlan.h"
#include "measure/PhaseNames.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

using namespace thermocline::runtime;
using Scan = WindowPlan::Scan;

namespace {

/// A run in which whoever makes scans asks each tenth of a millisecond.
class PlannedRun {
public:
  explicit PlannedRun(uint64_t CostUs = 0) : CostUs(CostUs) {}

  void work(uint64_t Us) {
    for (uint64_t End = Now + Us; Now < End; Now += 100)
      make(Plan.due(Now));
    make(Plan.due(Now));
  }
  void enter(unsigned Phase) {
    make(Plan.leavePhase(Phase, Now));
    Plan.enterPhase(Phase);
  }
  void finish() { make(Plan.finish(Now)); }

  /// Phase, length and burst of each window, in tenths of a millisecond.
  std::string windows() const {
    std::string Result;
    for (unsigned I = 0; I != Plan.windows().size(); ++I) {
      const TouchWindows::Window &W = Plan.windows()[I];
      Result += (I ? " " : "") + std::to_string(W.Phase) + ":" +
                std::to_string(W.LengthUs / 100) + "/" +
                std::to_string(W.BurstUs / 100);
    }
    return Result;
  }
  uint64_t timeIn(unsigned Phase) const {
    uint64_t Result = 0;
    for (unsigned I = 0; I != Plan.windows().size(); ++I)
      if (Plan.windows()[I].Phase == Phase)
        Result += Plan.windows()[I].LengthUs;
    return Result;
  }

  WindowPlan Plan;
  uint64_t Now = 0;
  unsigned NumScans = 0;

private:
  void make(Scan S) {
    if (S == Scan::None)
      return;
    ++NumScans;
    Plan.beginScan(S, Now);
    Plan.endScan(CostUs);
  }

  uint64_t CostUs;
};

} // namespace

TEST(WindowPlanTest, LongWindowsEndWithBursts) {
  PlannedRun R;
  R.work(160 * 1000);
  EXPECT_EQ(R.NumScans, 32u) << "windows of 5 ms are their own bursts";
  EXPECT_EQ(R.Plan.windows().size(), 16u);
  R.work(40 * 1000);
  EXPECT_EQ(R.NumScans, 40u);
  EXPECT_EQ(R.Plan.windows().size(), 20u);
  for (unsigned I = 0; I != 20; ++I) {
    EXPECT_EQ(R.Plan.windows()[I].LengthUs, 10000u);
    EXPECT_EQ(R.Plan.windows()[I].BurstUs, 5000u);
  }
}

/// Whatever a scan costs and however long the run is.
TEST(WindowPlanTest, ScansTakeTheirPartOfTheRunAndNoMore) {
  for (uint64_t CostUs : {50, 400, 2000, 6000, 40000})
    for (uint64_t Ms : {50, 300, 1000, 20000}) {
      PlannedRun R(CostUs);
      R.work(Ms * 1000);
      R.finish();
      // Two scans are made if two are paid, and another at the end.
      EXPECT_LE(R.NumScans * CostUs,
                WindowPlan::DefaultAllowanceUs +
                    Ms * 1000 / WindowPlan::DefaultCostPart + CostUs)
          << CostUs << " us, " << Ms << " ms: " << R.windows();
    }
}

/// With so dear scans that there are few of them, they lie well apart, and the
/// short windows of the start leave enough for bursts.
TEST(WindowPlanTest, ShortRunsHaveBurstsInAnyPartOfThem) {
  for (uint64_t CostUs : {700, 1500, 2500}) {
    PlannedRun R(CostUs);
    R.work(600 * 1000);
    R.finish();
    const TouchWindows &W = R.Plan.windows();
    uint64_t Begin = 0;
    for (unsigned I = 0; I != W.size(); ++I) {
      // A window grows with the time before it, or until it is paid.
      EXPECT_LE(W[I].LengthUs,
                std::max(4 * WindowPlan::DefaultCostPart * CostUs,
                         Begin / WindowPlan::GrowthPart + 10000))
          << R.windows();
      EXPECT_TRUE(W[I].BurstUs || I + 1 == W.size()) << R.windows();
      Begin += W[I].LengthUs;
    }
    EXPECT_GE(W.size(), 7u) << R.windows();
    EXPECT_NEAR(static_cast<double>(R.timeIn(0)), 600e3, 60e3) << R.windows();
  }
}

/// What the allowance pays for is spread over the run: it is not spent at the
/// start, where it would pay for all windows of the first 50 ms.
TEST(WindowPlanTest, TheAllowanceLastsForMoreThanTheStart) {
  PlannedRun R(/*CostUs=*/1500);
  R.work(150 * 1000);
  R.finish();
  const TouchWindows &W = R.Plan.windows();
  uint64_t Begin = 0;
  unsigned InFirst = 0, BurstsInLast = 0;
  for (unsigned I = 0; I != W.size(); ++I) {
    InFirst += Begin < 50 * 1000;
    BurstsInLast += Begin >= 60 * 1000 && W[I].BurstUs != 0;
    Begin += W[I].LengthUs;
  }
  EXPECT_LE(InFirst, 6u) << R.windows();
  EXPECT_GE(BurstsInLast, 1u) << R.windows();
}

TEST(WindowPlanTest, AnotherPartAndAllowanceMayBeGiven) {
  for (uint64_t Ms : {100, 1000, 10000}) {
    PlannedRun R(/*CostUs=*/500);
    R.Plan.limitCost(64, 4000);
    R.work(Ms * 1000);
    EXPECT_LE(R.NumScans * 500, 4000 + Ms * 1000 / 64) << R.windows();
    EXPECT_GE(R.NumScans * 500, Ms * 1000 / 128) << R.windows();
    EXPECT_GE(R.Plan.windows().size(), 2u) << R.windows();
  }
}

TEST(WindowPlanTest, TheAllowanceMayComeLittleByLittle) {
  uint64_t BeforeHalf = 0;
  for (bool Grows : {false, true}) {
    PlannedRun R(/*CostUs=*/2000);
    R.Plan.limitCost(64, 40000);
    if (Grows)
      R.Plan.growAllowance(4000, 16);
    R.work(300 * 1000);
    const uint64_t Half = R.NumScans * 2000;
    EXPECT_LE(Half, Grows ? 4000 + 300 * 1000 / 64 + 300 * 1000 / 16
                          : 40000 + 300 * 1000 / 64)
        << R.windows();
    R.work(700 * 1000);
    EXPECT_LE(R.NumScans * 2000, 40000 + 1000 * 1000 / 64) << R.windows();
    EXPECT_GE(R.NumScans * 2000, 24000u) << R.windows();
    if (Grows)
      EXPECT_LT(Half, BeforeHalf) << R.windows();
    BeforeHalf = Half;
  }
}

TEST(WindowPlanTest, ScansMayBeTooDearForTheTimeSoFar) {
  PlannedRun R(/*CostUs=*/5000);
  EXPECT_FALSE(R.Plan.costsTooMuch(R.Now)) << "there was no scan";
  R.work(100 * 1000);
  EXPECT_TRUE(R.Plan.costsTooMuch(R.Now));
  R.work(300 * 1000);
  EXPECT_FALSE(R.Plan.costsTooMuch(R.Now)) << "two take 1/32 of 320 ms";
  PlannedRun Cheap(/*CostUs=*/3000);
  Cheap.work(10 * 1000);
  EXPECT_FALSE(Cheap.Plan.costsTooMuch(Cheap.Now)) << "or soon will be";
}

TEST(WindowPlanTest, ThousandthsAreOnePartInSoMany) {
  EXPECT_EQ(WindowPlan::partOfThousandths(1), 1000u);
  EXPECT_EQ(WindowPlan::partOfThousandths(5), 200u);
  EXPECT_EQ(WindowPlan::partOfThousandths(30), 34u);
  EXPECT_EQ(WindowPlan::partOfThousandths(499), 3u);
  EXPECT_EQ(WindowPlan::partOfThousandths(500), 2u);
}

TEST(WindowPlanTest, APhaseHasAWindowAtTheEndEvenIfItIsNotPaid) {
  PlannedRun R(/*CostUs=*/20000);
  R.work(100 * 1000);
  R.enter(1);
  R.work(200 * 1000);
  EXPECT_EQ(R.Plan.windows().numOf(1), 0u) << R.windows();
  R.finish();
  EXPECT_EQ(R.Plan.windows().numOf(1), 1u) << R.windows();
}

/// A run of three seconds may have all windows with scans of 1.5 ms.
TEST(WindowPlanTest, ScansMayCostMoreInLongRuns) {
  PlannedRun R(/*CostUs=*/750);
  R.work(1000 * 1000);
  EXPECT_FALSE(R.Plan.mayCostMore(R.Now));
  R.work(2000 * 1000);
  EXPECT_TRUE(R.Plan.mayCostMore(R.Now));
}

TEST(WindowPlanTest, LongRunsHaveBurstsHoweverDearScansAre) {
  PlannedRun R(/*CostUs=*/6000);
  R.work(20 * 1000 * 1000);
  const TouchWindows &W = R.Plan.windows();
  EXPECT_GE(W.size(), 12u);
  for (unsigned I = W.size() / 2; I != W.size(); ++I)
    EXPECT_EQ(W[I].BurstUs, 5000u) << R.windows();
}

TEST(WindowPlanTest, APhaseHasWindowsOfItsOwn) {
  PlannedRun R;
  R.work(8000);
  R.enter(1);
  R.work(7000);
  R.enter(0);
  R.work(3000);
  R.enter(1);
  R.work(5000);
  EXPECT_EQ(R.windows(), "0:50/50 0:30/30 1:70/0 0:30/30 1:50/50");
}

/// The first call of many programs is in main, a moment after the start.
TEST(WindowPlanTest, AShortTimeIsPartOfWhatLiesBesideIt) {
  PlannedRun R;
  R.work(700);
  R.enter(1);
  R.work(4300);
  EXPECT_EQ(R.windows(), "1:50/50");
  R.work(2000);
  R.enter(2);
  EXPECT_EQ(R.windows(), "1:70/0") << "it belongs to the window before it";
  R.work(5000);
  EXPECT_EQ(R.windows(), "1:70/0 2:50/50");
  R.enter(3);
  R.work(1500);
  R.enter(2);
  R.work(1000);
  EXPECT_EQ(R.windows(), "1:70/0 2:50/50 3:25/25")
      << "most of it is of phase 3";
}

/// Each phase has its time within a window even if there are thousands.
TEST(WindowPlanTest, PhasesInTurnsGoOnWithTheirWindows) {
  PlannedRun R;
  for (unsigned I = 0; I != 400; ++I) {
    R.enter(1 + I % 2);
    R.work(I % 2 ? 7000 : 4000);
  }
  EXPECT_LT(R.Plan.windows().size(), TouchWindows::MaxWindows);
  EXPECT_NEAR(static_cast<double>(R.timeIn(1)), 800e3, 8e3);
  EXPECT_NEAR(static_cast<double>(R.timeIn(2)), 1400e3, 8e3);
  uint64_t Shortest = UINT64_MAX, Longest = 0;
  // The last one of each phase goes on.
  for (unsigned I = 0; I + 2 < R.Plan.windows().size(); ++I) {
    Shortest = std::min(Shortest, R.Plan.windows()[I].LengthUs);
    Longest = std::max(Longest, R.Plan.windows()[I].LengthUs);
  }
  EXPECT_LE(Longest, 3 * Shortest) << R.windows();
}

TEST(WindowPlanTest, PhasesThatAreAlwaysTooShortAreNotSeen) {
  PlannedRun R;
  for (unsigned I = 0; I != 300; ++I) {
    R.enter(1);
    R.work(300);
    R.enter(2);
    R.work(1200);
  }
  EXPECT_EQ(R.timeIn(1), 0u);
  EXPECT_NEAR(static_cast<double>(R.timeIn(2)), 450e3, 20e3);
}

TEST(WindowPlanTest, ManyChangesCostNoMoreThanTheirPart) {
  constexpr uint64_t CostUs = 200;
  PlannedRun R(CostUs);
  for (unsigned I = 0; I != WindowPlan::FewChanges; ++I) {
    R.enter(1 + I % 2);
    R.work(4000);
  }
  EXPECT_NEAR(R.NumScans, WindowPlan::FewChanges, 6)
      << "but each of the first is noted at once";
  for (unsigned I = 0; I != 2000; ++I) {
    R.enter(1 + I % 2);
    R.work(4000);
  }
  EXPECT_LE(R.NumScans * CostUs, WindowPlan::DefaultAllowanceUs +
                                     R.Now / WindowPlan::DefaultCostPart);
}

/// A program that says where its start ends has a window that ends there.
TEST(WindowPlanTest, TheFirstChangesAreSeenThoughScansAreDear) {
  PlannedRun R(/*CostUs=*/3000);
  R.enter(1);
  R.work(200 * 1000);
  R.enter(2);
  R.work(300 * 1000);
  R.finish();
  EXPECT_EQ(R.timeIn(1), 200u * 1000) << R.windows();
  EXPECT_GT(R.timeIn(2), 200u * 1000) << R.windows();
}

TEST(WindowPlanTest, TheLastWindowOfAPhaseCountsIfItIsLongEnough) {
  PlannedRun R;
  R.finish();
  EXPECT_EQ(R.windows(), "") << "no time has passed";
  R.work(400);
  R.finish();
  EXPECT_EQ(R.windows(), "0:4/4") << "a run has at least one";
  R.work(5000);
  R.work(2000);
  R.finish();
  EXPECT_EQ(R.Plan.windows().size(), 1u);
}

TEST(WindowPlanTest, ACutOffBurstIsNone) {
  PlannedRun R;
  R.work(160 * 1000);
  R.work(6000);
  R.enter(1);
  EXPECT_EQ(R.Plan.windows().size(), 17u);
  EXPECT_EQ(R.Plan.windows()[16].LengthUs, 6000u);
  EXPECT_EQ(R.Plan.windows()[16].BurstUs, 0u);
}

TEST(WindowPlanTest, ARestartKeepsThePhase) {
  PlannedRun R;
  R.enter(3);
  R.work(12000);
  R.Plan.restart();
  EXPECT_EQ(R.Plan.phase(), 3u);
  EXPECT_EQ(R.Plan.due(R.Now), Scan::Baseline);
  R.work(5100);
  EXPECT_EQ(R.windows(), "3:50/50");
  R.Plan.restartClock();
  R.Now = 0;
  R.work(5000);
  EXPECT_EQ(R.windows(), "3:50/50");
}

TEST(PhaseNamesTest, AreFoundAgain) {
  PhaseNames Names;
  EXPECT_EQ(Names.find(nullptr), 0u);
  EXPECT_EQ(Names.find(""), 0u);
  EXPECT_EQ(Names.find("load"), 1u);
  EXPECT_EQ(Names.find("lo"), 2u);
  EXPECT_EQ(Names.find("loads"), 3u);
  EXPECT_EQ(Names.find("load"), 1u);
  EXPECT_EQ(Names.find("lo"), 2u);
  EXPECT_EQ(Names.size(), 4u);
  EXPECT_STREQ(Names[3], "loads");
}

TEST(PhaseNamesTest, WithoutRoomThereIsNoNewOne) {
  PhaseNames Names;
  const std::string Longest(63, 'x');
  EXPECT_EQ(Names.find((Longest + "x").c_str()), PhaseNames::MaxPhases);
  EXPECT_EQ(Names.find(Longest.c_str()), 1u);
  for (unsigned I = 2; I != PhaseNames::MaxPhases; ++I)
    EXPECT_EQ(Names.find(std::to_string(I).c_str()), I);
  EXPECT_EQ(Names.find("more"), PhaseNames::MaxPhases);
  EXPECT_EQ(Names.find(Longest.c_str()), 1u);
  EXPECT_EQ(Names.find("15"), 15u);
}
