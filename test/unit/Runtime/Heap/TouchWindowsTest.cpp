//===- Runtime/Heap/TouchWindowsTest.cpp - When memory was touched --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/TouchWindows.h"
#include "heap/PageMarks.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <vector>

using namespace thermocline::runtime;

namespace {

constexpr uint64_t StepUs = TouchWindows::FirstLengthUs;

/// A unit, and in which steps of the run it was touched.
struct Unit {
  TouchMark Mark = {};
  uint64_t Sum = 0;
  std::set<size_t> Touched = {};
  /// The first of them, unless a scan has seen it untouched before.
  std::optional<size_t> Birth = std::nullopt;
  bool WasSeenUntouched = false;
};

/// What a window has to say: the steps that it is made of, and what lived at
/// its end.
struct ExpectedWindow {
  unsigned Phase;
  std::vector<size_t> Steps;
  std::vector<size_t> BurstSteps;
  /// Of each unit, when it was touched.
  std::vector<std::set<size_t>> Live;
  std::vector<size_t> Births = {};

  uint32_t touchedIn(const std::vector<size_t> &Some) const {
    uint32_t Result = 0;
    for (const std::set<size_t> &Touched : Live)
      Result += std::any_of(Some.begin(), Some.end(),
                            [&](size_t S) { return Touched.count(S) != 0; });
    return Result;
  }
  uint32_t bornIn(const std::vector<size_t> &Some) const {
    uint32_t Result = 0;
    for (size_t Birth : Births)
      Result += std::count(Some.begin(), Some.end(), Birth) != 0;
    return Result;
  }
};

/// Units that are touched at random, and what the table has to say of them.
class Simulation {
public:
  static constexpr unsigned Weight = 3;
  static constexpr uint64_t Bytes = 48;

  explicit Simulation(unsigned Seed) : Random(Seed) {}

  /// A window of \p Count steps, with a burst of the last \p Burst of them, or
  /// none.
  void window(unsigned Count = 1, unsigned Burst = 1, unsigned Phase = 0) {
    W.begin(Phase);
    std::vector<size_t> Steps;
    for (unsigned I = 0; I != Count; ++I) {
      if (Burst != Count && I == Count - Burst) {
        W.beginBurst(Phase);
        scan();
      }
      pass();
      Steps.push_back(NumSteps++);
    }
    W.endWindow({Count * StepUs, Burst * StepUs, Phase});
    if (W.isContinued())
      W.forget(Table);
    scan();
    if (W.isPaired())
      W.pair(Table);
    expectEnd(Phase, Steps, Burst);
  }

  /// Each second of a phase's windows becomes part of the next one.
  void expectPairs(unsigned Phase) {
    std::vector<ExpectedWindow> Result;
    std::optional<ExpectedWindow> Earlier;
    size_t Left = numOf(Phase);
    for (ExpectedWindow &E : Expected) {
      if (E.Phase == Phase && --Left && !Earlier) {
        Earlier = E;
        continue;
      }
      if (E.Phase == Phase && Earlier) {
        E.Steps.insert(E.Steps.end(), Earlier->Steps.begin(),
                       Earlier->Steps.end());
        Earlier.reset();
      }
      Result.push_back(E);
    }
    Expected = Result;
    Targets[Phase] *= 2;
  }

  void expectExact() const {
    ASSERT_EQ(W.size(), Expected.size());
    for (unsigned I = 0; I != W.size(); ++I) {
      const ExpectedWindow &E = Expected[I];
      EXPECT_EQ(W[I].Phase, E.Phase);
      EXPECT_EQ(W[I].LengthUs, E.Steps.size() * StepUs);
      EXPECT_EQ(W[I].BurstUs, E.BurstSteps.size() * StepUs);
      EXPECT_EQ(Table.Live[I], Weight * E.Live.size());
      EXPECT_EQ(Table.LiveBytes[I], Weight * Bytes * E.Live.size());
      EXPECT_EQ(W.touched(Table, I), Weight * E.touchedIn(E.Steps))
          << I << " of " << W.size();
      EXPECT_EQ(Table.InBurst[I], Weight * E.touchedIn(E.BurstSteps))
          << I << " of " << W.size();
      EXPECT_LE(W.born(Table, I), W.touched(Table, I));
      EXPECT_LE(Table.BornInBurst[I], Table.InBurst[I]);
      // Windows that go on, or are paired, come behind those of other phases in
      // between, which the unit may have been touched in later.
      if (numOf(0) != Expected.size())
        continue;
      EXPECT_EQ(W.born(Table, I), Weight * E.bornIn(E.Steps))
          << I << " of " << W.size();
      EXPECT_EQ(Table.BornInBurst[I], Weight * E.bornIn(E.BurstSteps))
          << I << " of " << W.size();
    }
  }

  size_t numOf(unsigned Phase) const {
    return static_cast<size_t>(
        std::count_if(Expected.begin(), Expected.end(),
                      [&](const auto &E) { return E.Phase == Phase; }));
  }
  unsigned random(unsigned End) { return Random() % End; }

  TouchWindows W;
  TouchTable Table = {};
  unsigned NumContinued = 0;

private:
  void pass() {
    // Some end, and no scan sees it.
    if (!Units.empty() && Random() % 3 == 0)
      Units.erase(Units.begin() +
                  static_cast<ptrdiff_t>(Random() % Units.size()));
    for (size_t New = Random() % 3; New--;)
      Units.push_back(std::make_unique<Unit>());
    while (Units.size() > 20)
      Units.erase(Units.begin());
    for (auto &U : Units)
      if (Random() % 4 == 0) {
        if (U->Touched.empty() && !U->WasSeenUntouched)
          U->Birth = NumSteps;
        U->Touched.insert(NumSteps);
        U->Sum += 1 + Random() % 9;
      }
  }

  void scan() {
    for (auto &U : Units) {
      U->WasSeenUntouched |= U->Touched.empty();
      if (W.counts())
        W.count(U->Mark, Table, {U->Sum, 2, 1}, Bytes, Weight);
      else
        W.note(U->Mark, U->Sum);
    }
    W.endScan();
  }

  void expectEnd(unsigned Phase, const std::vector<size_t> &Steps,
                 unsigned Burst) {
    auto Target = Targets.try_emplace(Phase, StepUs).first;
    auto Last = std::find_if(Expected.rbegin(), Expected.rend(),
                             [&](const auto &E) { return E.Phase == Phase; });
    if (Last == Expected.rend() ||
        2 * Last->Steps.size() * StepUs >= Target->second) {
      Expected.push_back({Phase, {}, {}, {}, {}});
      Last = Expected.rbegin();
    } else {
      ++NumContinued;
    }
    Last->Steps.insert(Last->Steps.end(), Steps.begin(), Steps.end());
    Last->BurstSteps.assign(Steps.end() - Burst, Steps.end());
    Last->Live.clear();
    Last->Births.clear();
    for (auto &U : Units) {
      Last->Live.push_back(U->Touched);
      if (U->Birth)
        Last->Births.push_back(*U->Birth);
    }
    if (Expected.size() == TouchWindows::MaxWindows) {
      unsigned Most = 0;
      for (unsigned P = 1; P != TouchWindows::MaxPhases; ++P)
        if (numOf(P) > numOf(Most))
          Most = P;
      expectPairs(Most);
    }
  }

  std::mt19937 Random;
  std::vector<std::unique_ptr<Unit>> Units;
  size_t NumSteps = 0;
  std::vector<ExpectedWindow> Expected;
  std::map<unsigned, uint64_t> Targets;
};

} // namespace

TEST(TouchWindowsTest, AreExactUntilAllPlacesAreTaken) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    Simulation S(Seed);
    for (unsigned I = 1; I != TouchWindows::MaxWindows; ++I) {
      S.window();
      ASSERT_EQ(S.W.size(), I);
      S.expectExact();
    }
  }
}

TEST(TouchWindowsTest, PairsAreWhatWindowsTwiceAsLongWouldBe) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    Simulation S(Seed);
    for (unsigned I = 0; I != TouchWindows::MaxWindows; ++I)
      S.window();
    ASSERT_EQ(S.W.size(), TouchWindows::MaxWindows / 2);
    EXPECT_EQ(S.W.targetUs(0), 2 * TouchWindows::FirstLengthUs);
    S.expectExact();
  }
}

/// What follows a pairing must not be told by the scans before.
TEST(TouchWindowsTest, StayExactHoweverOftenTheyArePaired) {
  constexpr unsigned Max = TouchWindows::MaxWindows;
  Simulation S(1);
  for (unsigned I = 0; I != Max; ++I)
    S.window();
  for (unsigned Doublings = 1; Doublings != 4; ++Doublings) {
    ASSERT_EQ(S.W.size(), Max / 2);
    EXPECT_EQ(S.W.targetUs(0), TouchWindows::FirstLengthUs << Doublings);
    for (unsigned I = Max / 2; I != Max; ++I)
      S.window(1u << Doublings, /*Burst=*/0);
    S.expectExact();
    for (unsigned I = 0; I != S.W.size(); ++I)
      EXPECT_EQ(S.W[I].LengthUs, StepUs << (Doublings + 1));
  }
}

/// The scan with which a burst begins takes nothing away from the window, and
/// what was touched before it does not count as touched in the burst. Of two
/// windows that become one, the burst of the later one stays.
TEST(TouchWindowsTest, BurstsAreExactAndLeaveWindowsExact) {
  constexpr unsigned Max = TouchWindows::MaxWindows;
  for (unsigned Seed = 0; Seed != 10; ++Seed) {
    Simulation S(Seed);
    for (unsigned I = 0; I != Max; ++I)
      S.window();
    S.expectExact();
    for (unsigned Doublings = 1; Doublings != 4; ++Doublings) {
      for (unsigned I = Max / 2; I != Max; ++I) {
        // Some were cut off.
        unsigned Burst = I % 5 == 0 ? 0 : I % 3 == 0 && Doublings > 1 ? 2 : 1;
        S.window(1u << Doublings, Burst);
      }
      S.expectExact();
    }
  }
}

/// Phases in any order, of any length, whose windows are paired when they come
/// to an odd number, and go on when the program comes back soon.
TEST(TouchWindowsTest, ThoseOfPhasesAreExact) {
  unsigned NumContinued = 0;
  for (unsigned Seed = 0; Seed != 12; ++Seed) {
    Simulation S(Seed);
    const unsigned Phases = Seed % 3 == 0   ? TouchWindows::MaxPhases
                            : Seed % 3 == 1 ? 2
                                            : 5;
    for (unsigned I = 0; I != 250; ++I) {
      // Some phases are rare.
      unsigned Phase = std::min(S.random(Phases), S.random(Phases));
      unsigned Count = 1 + S.random(4);
      S.window(Count, S.random(std::min(Count, 2u) + 1), Phase);
      if (I % 10 == 0)
        S.expectExact();
      ASSERT_LT(S.W.size(), TouchWindows::MaxWindows);
    }
    S.expectExact();
    NumContinued += S.NumContinued;
  }
  EXPECT_GT(NumContinued, 100u);
}

/// A short phase at the beginning of a long run keeps its windows.
TEST(TouchWindowsTest, ThePhaseWithTheMostGivesPlaces) {
  Simulation S(3);
  for (unsigned I = 0; I != 9; ++I)
    S.window(1, 1, 1);
  for (unsigned I = 0; I != 60; ++I)
    S.window(static_cast<unsigned>(S.W.targetUs(2) / StepUs) + 1, 1, 2);
  S.expectExact();
  EXPECT_EQ(S.W.numOf(1), 9u);
  EXPECT_GE(S.W.numOf(2), 10u);
}

/// How many units are far in the pair of the first two windows, of 100 units
/// each, the later of which lived at the end of the second.
static uint32_t farOfPair(uint32_t Touched1, uint32_t Far1, uint32_t Touched2,
                          uint32_t Far2, uint32_t TouchedInBoth) {
  TouchWindows W;
  TouchTable Table = {};
  for (unsigned I = 0; I != TouchWindows::MaxWindows; ++I) {
    W.endWindow({5000, 5000, 0});
    if (I + 1 != TouchWindows::MaxWindows)
      W.endScan();
  }
  Table.Live[0] = Table.Live[1] = 100;
  Table.Far[0] = Far1;
  Table.Far[1] = Far2;
  Table.FarInBurst[0] = 1;
  Table.FarInBurst[1] = 2;
  // The first window is a group, the second one and with the first another.
  Table.Touched[0] = Touched1;
  Table.Touched[1] = Touched2;
  Table.Touched[2] = TouchedInBoth;
  EXPECT_TRUE(W.isPaired());
  W.endScan();
  W.pair(Table);
  EXPECT_EQ(Table.FarInBurst[0], 2u);
  EXPECT_EQ(W.touched(Table, 0), TouchedInBoth);
  for (unsigned I = W.size(); I != TouchWindows::MaxWindows; ++I)
    EXPECT_EQ(Table.Far[I], 0u);
  return Table.Far[0];
}

TEST(TouchWindowsTest, PairsHaveFarUnitsOfBothWindows) {
  // The same places, or others, or some of each.
  EXPECT_EQ(farOfPair(20, 70, 20, 70, 20), 70u);
  EXPECT_EQ(farOfPair(20, 70, 20, 70, 40), 40u);
  EXPECT_EQ(farOfPair(20, 70, 20, 70, 30), 55u);
  // More near one than near the other.
  EXPECT_EQ(farOfPair(20, 70, 50, 40, 50), 40u);
  EXPECT_EQ(farOfPair(50, 40, 20, 70, 50), 40u);
  // Nothing was touched in one or both.
  EXPECT_EQ(farOfPair(0, 100, 20, 70, 20), 70u);
  EXPECT_EQ(farOfPair(0, 90, 0, 80, 0), 80u);
  // Never more than were not touched.
  EXPECT_EQ(farOfPair(30, 70, 33, 67, 61), 39u);
}

/// How many units lie among those that were born in the first two windows, of
/// which the second has 100 units, 20 of which were born in either.
static uint32_t amongBornOfPair(uint32_t Among1, uint32_t Among2) {
  TouchWindows W;
  TouchTable Table = {};
  for (unsigned I = 0; I != TouchWindows::MaxWindows; ++I) {
    W.endWindow({5000, 5000, 0});
    if (I + 1 != TouchWindows::MaxWindows)
      W.endScan();
  }
  Table.Live[0] = Table.Live[1] = 100;
  Table.Touched[0] = Table.Touched[1] = Table.Touched[2] = 20;
  Table.Born[0] = Table.Born[1] = 12;
  Table.Born[2] = 20;
  Table.BornInBurst[0] = 3;
  Table.BornInBurst[1] = 4;
  Table.AmongBorn[0] = Among1;
  Table.AmongBorn[1] = Among2;
  Table.AmongBornInBurst[0] = 1;
  Table.AmongBornInBurst[1] = 2;
  W.endScan();
  W.pair(Table);
  EXPECT_EQ(W.born(Table, 0), 20u);
  EXPECT_EQ(Table.BornInBurst[0], 4u);
  EXPECT_EQ(Table.AmongBornInBurst[0], 2u);
  for (unsigned I = W.size(); I != TouchWindows::MaxWindows; ++I)
    EXPECT_EQ(Table.AmongBorn[I], 0u);
  return Table.AmongBorn[0];
}

TEST(TouchWindowsTest, WhatIsBornInOneWindowOfAPairLiesElsewhere) {
  EXPECT_EQ(amongBornOfPair(0, 0), 0u);
  EXPECT_EQ(amongBornOfPair(10, 30), 40u);
  EXPECT_EQ(amongBornOfPair(88, 88), 80u);
}

TEST(TouchWindowsTest, WhatAScanSawUntouchedIsNotBornLater) {
  TouchWindows W;
  TouchMark Early = {}, Late = {};
  TouchTable Table = {};
  W.endWindow({5000, 5000, 0});
  EXPECT_FALSE(W.count(Early, Table, {0, 1, 1}, 64, 1).BornInWindow);
  W.endScan();
  W.endWindow({5000, 5000, 0});
  const TouchState OfEarly = W.count(Early, Table, {7, 1, 1}, 64, 1),
                   OfLate = W.count(Late, Table, {7, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_TRUE(OfEarly.InWindow && OfEarly.InBurst);
  EXPECT_FALSE(OfEarly.BornInWindow || OfEarly.BornInBurst);
  EXPECT_FALSE(OfLate.InWindow || OfLate.InBurst);
  EXPECT_TRUE(OfLate.BornInWindow && OfLate.BornInBurst);
  EXPECT_EQ(W.touched(Table, 1), 2u);
  EXPECT_EQ(W.born(Table, 1), 1u);
  EXPECT_EQ(Table.InBurst[1], 2u);
  EXPECT_EQ(Table.BornInBurst[1], 1u);
}

TEST(TouchWindowsTest, WhatJoinsIsTouchedOnlyByWhatComesLater) {
  TouchWindows W;
  TouchMark Mark = {};
  TouchTable Table = {};
  // It was accessed before any scan has seen it.
  W.endWindow({5000, 5000, 0});
  W.join(Mark, 7);
  W.endScan();
  EXPECT_EQ(Table.Live[0], 0u);
  W.endWindow({5000, 5000, 0});
  EXPECT_FALSE(W.count(Mark, Table, {7, 1, 1}, 64, 1).InWindow);
  W.endScan();
  W.endWindow({5000, 5000, 0});
  EXPECT_TRUE(W.count(Mark, Table, {8, 1, 1}, 64, 1).InWindow);
  W.endScan();
  EXPECT_EQ(W.born(Table, 2), 0u);
  EXPECT_EQ(Table.Live[1], 1u);
  EXPECT_EQ(W.touched(Table, 1), 0u);
  EXPECT_EQ(W.touched(Table, 2), 1u);
}

TEST(TouchWindowsTest, TheFirstScanAfterARestartCountsNothing) {
  TouchWindows W;
  TouchMark Mark = {};
  TouchTable Table = {};
  EXPECT_FALSE(W.needsBaseline());
  W.endWindow({5000, 5000, 0});
  W.count(Mark, Table, {7, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(W.touched(Table, 0), 1u);
  Table = {};
  W.restart();
  W.begin(0);
  ASSERT_TRUE(W.needsBaseline());
  W.beginBaseline();
  EXPECT_FALSE(W.counts());
  W.note(Mark, 9);
  W.endScan();
  EXPECT_EQ(W.size(), 0u);
  EXPECT_FALSE(W.needsBaseline());
  W.endWindow({5000, 5000, 0});
  W.count(Mark, Table, {9, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(W.size(), 1u);
  EXPECT_EQ(Table.Live[0], 1u);
  EXPECT_EQ(W.touched(Table, 0), 0u);
  // What was there before is not born when it is touched.
  W.endWindow({5000, 5000, 0});
  W.count(Mark, Table, {10, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(W.touched(Table, 1), 1u);
  EXPECT_EQ(W.born(Table, 1), 0u);
}

TEST(PageMarksTest, StayWithTheirPageAndOwner) {
  PageMarks Marks;
  constexpr uintptr_t Begin = uintptr_t(1) << 44, Page = 4096;
  constexpr unsigned Count = 5000;
  Marks.beginScan();
  for (unsigned I = 0; I != Count; ++I)
    Marks.get(Begin + I * Page, 2)->Windows.store(I + 1);
  // Those of even pages are seen again, the others are left out by and by.
  for (unsigned Scan = 0; Scan != 3; ++Scan) {
    Marks.beginScan();
    for (unsigned I = 0; I < Count; I += 2)
      EXPECT_EQ(Marks.get(Begin + I * Page, 2)->Windows.load(), I + 1);
    for (unsigned I = 0; I != Count; ++I)
      EXPECT_EQ(Marks.get(Begin * (Scan + 2) + I * Page, 2)->Windows.load(),
                0u);
  }
  EXPECT_EQ(Marks.get(Begin, 2)->Windows.load(), 1u);
  EXPECT_EQ(Marks.get(Begin, 4)->Windows.load(), 0u)
      << "another object at the same place";
}
