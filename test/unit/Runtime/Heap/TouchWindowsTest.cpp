//===- Runtime/Heap/TouchWindowsTest.cpp - When memory was touched --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/TouchWindows.h"
#include "heap/PageMarks.h"
#include "gtest/gtest.h"
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace thermocline::runtime;

namespace {

/// A unit, and whether it was touched in each of the shortest windows.
struct Unit {
  TouchMark Mark = {};
  uint64_t Sum = 0;
  std::vector<bool> Touched = {};

  bool touchedInLast(size_t Windows) const {
    bool Result = false;
    for (size_t I = 0; I != Windows && I != Touched.size(); ++I)
      Result |= Touched[Touched.size() - 1 - I];
    return Result;
  }
};

/// Units that are touched at random, and what the table has to say of them.
class Simulation {
public:
  static constexpr unsigned Weight = 3;
  static constexpr uint64_t Bytes = 48;

  explicit Simulation(unsigned Seed) : Random(Seed) {}

  /// One of the shortest windows, which is its own burst.
  void window(uint64_t CostUs = 0) {
    pass();
    end({TouchWindows::FirstLengthUs, TouchWindows::FirstLengthUs}, CostUs);
  }
  /// One as long as so many of them, with a burst as long as the last \p Burst
  /// of them, or none.
  void windows(unsigned Count, unsigned Burst = 0) {
    for (unsigned I = 0; I != Count; ++I) {
      if (Burst && I == Count - Burst) {
        W.beginBurst();
        scan();
      }
      pass();
    }
    end({Count * TouchWindows::FirstLengthUs,
         Burst * TouchWindows::FirstLengthUs},
        0);
  }

  void pass() {
    // Some end, and no scan sees it.
    if (!Units.empty() && Random() % 3 == 0)
      Units.erase(Units.begin() +
                  static_cast<ptrdiff_t>(Random() % Units.size()));
    for (size_t New = Random() % 4; New--;)
      Units.push_back(std::make_unique<Unit>());
    for (auto &U : Units) {
      bool IsTouched = Random() % 4 == 0;
      U->Touched.push_back(IsTouched);
      U->Sum += IsTouched ? 1 + Random() % 9 : 0;
    }
    ++NumShortest;
    Live.push_back(static_cast<uint32_t>(Units.size()));
    for (size_t Length = 1; Length <= NumShortest; Length *= 2)
      for (auto &U : Units)
        TouchedIn[{Length, NumShortest}] += U->touchedInLast(Length);
  }

  void end(const TouchWindows::Window &Ended, uint64_t CostUs) {
    BurstBefore[NumShortest] = Ended.BurstUs / TouchWindows::FirstLengthUs;
    W.endWindow(Ended, CostUs);
    scan();
  }

  void scan() {
    for (auto &U : Units)
      W.visit(U->Mark, W.counts() ? &Table : nullptr, {U->Sum, 2, 1}, Bytes,
              Weight);
    W.endScan();
    if (W.isPaired())
      TouchWindows::pair(Table);
  }

  /// \p Shortest: of how many of the shortest windows each is made.
  void expectExact(size_t Shortest) {
    for (unsigned I = 0; I != W.size(); ++I) {
      size_t End = (I + 1) * Shortest;
      size_t Burst = BurstBefore[End];
      EXPECT_EQ(W[I].LengthUs, Shortest * TouchWindows::FirstLengthUs);
      EXPECT_EQ(W[I].BurstUs, Burst * TouchWindows::FirstLengthUs);
      EXPECT_EQ(Table.Live[I], Weight * Live[End - 1]);
      EXPECT_EQ(Table.LiveBytes[I], Weight * Bytes * Live[End - 1]);
      EXPECT_EQ(Table.Touched[I], (Weight * TouchedIn[{Shortest, End}]))
          << I << " of " << W.size();
      EXPECT_EQ(Table.InBurst[I],
                Burst ? (Weight * TouchedIn[{Burst, End}]) : 0)
          << I << " of " << W.size();
    }
  }

  TouchWindows W;
  TouchTable Table = {};

private:
  std::mt19937 Random;
  std::vector<std::unique_ptr<Unit>> Units;
  size_t NumShortest = 0;
  std::vector<uint32_t> Live;
  /// By number of windows and the last of them.
  std::map<std::pair<size_t, size_t>, uint32_t> TouchedIn;
  /// By the last window of the burst, its number of windows.
  std::map<size_t, size_t> BurstBefore;
};

} // namespace

TEST(TouchWindowsTest, AreExactUntilAllPlacesAreTaken) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    Simulation S(Seed);
    for (unsigned I = 1; I != TouchWindows::MaxWindows; ++I) {
      S.window();
      ASSERT_EQ(S.W.size(), I);
      S.expectExact(1);
    }
  }
}

TEST(TouchWindowsTest, PairsAreWhatWindowsTwiceAsLongWouldBe) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    Simulation S(Seed);
    for (unsigned I = 0; I != TouchWindows::MaxWindows; ++I)
      S.window();
    ASSERT_EQ(S.W.size(), TouchWindows::MaxWindows / 2);
    EXPECT_EQ(S.W.targetUs(), 2 * TouchWindows::FirstLengthUs);
    S.expectExact(2);
  }
}

/// As if only every second, fourth, ... scan had been made: what follows must
/// not be told by the scans in between.
TEST(TouchWindowsTest, StayExactHoweverOftenTheyArePaired) {
  constexpr unsigned Max = TouchWindows::MaxWindows;
  Simulation S(1);
  for (unsigned I = 0; I != Max; ++I)
    S.window();
  for (unsigned Doublings = 1; Doublings != 4; ++Doublings) {
    ASSERT_EQ(S.W.size(), Max / 2);
    EXPECT_EQ(S.W.targetUs(), TouchWindows::FirstLengthUs << Doublings);
    for (unsigned I = Max / 2; I != Max; ++I)
      S.windows(1u << Doublings);
    S.expectExact(2u << Doublings);
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
    S.expectExact(2);
    for (unsigned Doublings = 1; Doublings != 4; ++Doublings) {
      for (unsigned I = Max / 2; I != Max; ++I) {
        // Some were cut off.
        unsigned Burst = I % 5 == 0 ? 0 : I % 3 == 0 && Doublings > 1 ? 2 : 1;
        S.windows(1u << Doublings, Burst);
      }
      S.expectExact(2u << Doublings);
    }
  }
}

TEST(TouchWindowsTest, BecomeLongerWhereScansAreDear) {
  constexpr unsigned Few = TouchWindows::FewWindows;
  Simulation S(2);
  const uint64_t Dear =
      TouchWindows::FirstLengthUs / TouchWindows::CostPart + 1;
  for (unsigned I = 1; I != Few; ++I) {
    S.window(Dear);
    EXPECT_EQ(S.W.size(), I);
  }
  S.window(Dear);
  EXPECT_EQ(S.W.size(), Few / 2);
  EXPECT_EQ(S.W.targetUs(), 2 * TouchWindows::FirstLengthUs);
  S.expectExact(2);
  for (unsigned I = 0; I != Few; ++I)
    S.window(Dear);
  EXPECT_EQ(S.W.size(), Few / 2 + Few) << "as windows are longer now";
}

TEST(TouchWindowsTest, TheFirstScanAfterARestartCountsNothing) {
  TouchWindows W;
  TouchMark Mark = {};
  TouchTable Table = {};
  EXPECT_FALSE(W.needsBaseline());
  W.endWindow({5000, 5000}, 0);
  W.visit(Mark, &Table, {7, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(Table.Touched[0], 1u);
  Table = {};
  W.restart();
  ASSERT_TRUE(W.needsBaseline());
  W.beginBaseline();
  EXPECT_FALSE(W.counts());
  W.visit(Mark, nullptr, {9, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(W.size(), 0u);
  EXPECT_FALSE(W.needsBaseline());
  W.endWindow({5000, 5000}, 0);
  W.visit(Mark, &Table, {9, 1, 1}, 64, 1);
  W.endScan();
  EXPECT_EQ(W.size(), 1u);
  EXPECT_EQ(Table.Live[0], 1u);
  EXPECT_EQ(Table.Touched[0], 0u);
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
