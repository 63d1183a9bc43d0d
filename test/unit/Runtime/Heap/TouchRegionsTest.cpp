//===- unit/Runtime/Heap/TouchRegionsTest.cpp - Near touched ones ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/TouchRegions.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace thermocline::runtime;

namespace {

constexpr size_t Bytes = 64;
constexpr unsigned Window = 3;

/// A heap of objects of one size, side by side, from contexts that have
/// numbers.
struct Row {
  struct Object {
    unsigned Context;
    TouchState State;
  };
  std::vector<Object> Objects;
  std::vector<TouchTable> Tables = std::vector<TouchTable>(3);
  std::mt19937 Random{5};

  /// \p Number objects from random contexts of \p Contexts, each touched with
  /// the probability that is given for its context.
  void add(size_t Number, std::vector<double> Touched) {
    for (; Number; --Number) {
      const auto Context = static_cast<unsigned>(Random() % Touched.size());
      const bool Is = std::bernoulli_distribution(Touched[Context])(Random);
      Objects.push_back({Context, {Is, Is}});
    }
  }

  /// Scans each of \p Step objects.
  void scan(TouchRegions &Regions, size_t Step = 1, bool HasBurst = true) {
    for (size_t I = 0; I < Objects.size(); I += Step) {
      const auto Weight = static_cast<uint32_t>(Step);
      if (Objects[I].State.BornInWindow)
        if (const double Births = Regions.asksAboutWindow(Weight))
          forEachAmong(I, &TouchState::BornInWindow,
                       [&](TouchTable &Table, unsigned Born) {
                         Regions.addAmongInWindow(Table, Births / Born);
                       });
      if (Objects[I].State.BornInBurst)
        if (const double Births = Regions.asksAboutBurst(Weight))
          forEachAmong(I, &TouchState::BornInBurst,
                       [&](TouchTable &Table, unsigned Born) {
                         Regions.addAmongInBurst(Table, Births / Born);
                       });
      Regions.add(Tables[Objects[I].Context], Objects[I].State, Weight,
                  4096 + I * (Bytes + 32), Bytes);
    }
    Regions.end(Window, HasBurst);
  }

  /// Tells of each of \p Step objects, where only these are seen.
  void tellOfFew(TouchRegions &Regions, size_t Step) {
    for (size_t I = 0; I < Objects.size(); I += Step)
      Regions.addOneOfFew(Tables[Objects[I].Context], Objects[I].State,
                          static_cast<uint32_t>(Step));
    Regions.end(Window, /*HasBurst=*/true);
  }

  static constexpr size_t PerPage = 4096 / Bytes;
  /// Calls \p Visit for those on the page of object number \p I that were not
  /// born, with the table of each and how many were.
  void forEachAmong(size_t I, bool TouchState::*Is, auto Visit) {
    const size_t Begin = I / PerPage * PerPage;
    const size_t End = std::min(Begin + PerPage, Objects.size());
    unsigned Born = 0;
    for (size_t J = Begin; J != End; ++J)
      Born += Objects[J].State.*Is;
    for (size_t J = Begin; J != End; ++J)
      if (!(Objects[J].State.*Is))
        Visit(Tables[Objects[J].Context], Born);
  }

  double count(unsigned Context) const {
    double Result = 0;
    for (const Object &O : Objects)
      Result += O.Context == Context;
    return Result;
  }
  /// The part of \p Context that is far.
  double far(unsigned Context) const {
    EXPECT_EQ(Tables[Context].Far[Window], Tables[Context].FarInBurst[Window]);
    return Tables[Context].Far[Window] / count(Context);
  }
};

} // namespace

TEST(TouchRegionsTest, WhatIsMixedAtRandomIsNear) {
  for (double Part : {0.9, 0.3, 0.03, 0.003, 0.0003}) {
    Row R;
    R.add(60000, {Part, 0, Part / 2});
    TouchRegions Regions;
    R.scan(Regions);
    for (unsigned Context = 0; Context != 3; ++Context)
      EXPECT_NEAR(R.far(Context), 0, 0.1) << Part << ", " << Context;
  }
}

TEST(TouchRegionsTest, SoItIsIfAScanSeesSome) {
  for (double Part : {0.9, 0.3, 0.03, 0.003}) {
    Row R;
    R.add(60000, {Part, 0, Part / 2});
    TouchRegions Regions;
    R.scan(Regions, 16);
    for (unsigned Context = 0; Context != 3; ++Context)
      EXPECT_NEAR(R.far(Context), 0, 0.15) << Part << ", " << Context;
  }
}

TEST(TouchRegionsTest, StretchesInWhichNothingIsTouchedAreFar) {
  for (size_t Step : {1, 16}) {
    Row R;
    R.add(20000, {0, 0});
    R.add(20000, {0.5, 0});
    R.add(20000, {0, 0});
    R.add(10000, {0, 0, 0});
    TouchRegions Regions;
    R.scan(Regions, Step);
    EXPECT_NEAR(R.far(0), 1 - 10000 / R.count(0), 0.05) << Step;
    EXPECT_NEAR(R.far(1), 1 - 10000 / R.count(1), 0.05) << Step;
    EXPECT_NEAR(R.far(2), 1, 0.1) << Step;
  }
}

TEST(TouchRegionsTest, LongStretchesAreSeenByFew) {
  Row R;
  R.add(20000, {0, 0});
  R.add(20000, {0.5, 0});
  R.add(20000, {0, 0});
  TouchRegions Regions;
  R.tellOfFew(Regions, 200);
  EXPECT_NEAR(R.far(0), 1 - 10000 / R.count(0), 0.1);
  EXPECT_NEAR(R.far(1), 1 - 10000 / R.count(1), 0.1);
  // Then all are seen again. They have some five touched neighbors, which is
  // enough of few alone.
  Row Mixed;
  Mixed.add(5000, {0, 0});
  for (unsigned I = 0; I != 18; ++I)
    Mixed.Objects[64 + I].State = {true, true};
  Mixed.scan(Regions);
  EXPECT_EQ(Mixed.far(0), 0);
}

TEST(TouchRegionsTest, StretchesOfSomeThatAreSeenAreFar) {
  Row R;
  for (unsigned I = 0; I != 10; ++I) {
    R.add(2400, {0.9});
    R.add(2400, {0});
  }
  TouchRegions Regions;
  R.tellOfFew(Regions, 200);
  EXPECT_NEAR(R.far(0), 0.3, 0.15);
}

TEST(TouchRegionsTest, WhatFewSeeAtRandomIsMostlyNear) {
  for (double Part : {0.9, 0.3, 0.1, 0.03, 0.003}) {
    double Sum = 0;
    constexpr unsigned Seeds = 50;
    for (unsigned Seed = 0; Seed != Seeds; ++Seed) {
      Row R;
      R.Random.seed(Seed);
      R.add(60000, {Part, 0});
      TouchRegions Regions;
      R.tellOfFew(Regions, 200);
      Sum += R.far(1) / Seeds;
    }
    EXPECT_LT(Sum, 0.15) << Part;
  }
}

TEST(TouchRegionsTest, ABusyStretchDoesNotHideThatOthersAreSparselyTouched) {
  for (size_t Step : {1, 8}) {
    Row R;
    R.add(6000, {1});
    R.add(34000, {0.04, 0});
    TouchRegions Regions;
    R.scan(Regions, Step);
    EXPECT_LT(R.far(0), 0.5) << Step;
    EXPECT_LT(R.far(1), 0.6) << Step;
  }
}

TEST(TouchRegionsTest, PatternsOfLessThanAPageAreNear) {
  // Sixteen are touched, then 48 are not: each page of 64 has some.
  Row R;
  for (unsigned I = 0; I != 500; ++I) {
    R.add(16, {1});
    for (unsigned J = 0; J != 48; ++J)
      R.Objects.push_back({1, {}});
  }
  TouchRegions Regions;
  R.scan(Regions);
  EXPECT_NEAR(R.far(0), 0, 0.01);
  EXPECT_NEAR(R.far(1), 0, 0.01);
}

TEST(TouchRegionsTest, RegionsAreAsLargeAsPages) {
  // Of 1,024 objects, the first 16 are touched: some of each page of 64 KiB,
  // but of few of 4 KiB.
  Row R;
  for (unsigned I = 0; I != 60; ++I) {
    R.add(16, {1});
    for (unsigned J = 0; J != 1008; ++J)
      R.Objects.push_back({1, {}});
  }
  for (unsigned Shift : {12, 16}) {
    TheTouchPageShift = static_cast<uint8_t>(Shift);
    R.Tables.assign(3, {});
    TouchRegions Regions;
    R.scan(Regions);
    EXPECT_NEAR(R.far(1), Shift == 12 ? 0.9 : 0, 0.1) << Shift;
  }
  TheTouchPageShift = 12;
}

TEST(TouchRegionsTest, NothingIsFarInClassesInWhichNothingIsTouched) {
  Row R;
  R.add(5000, {0, 0});
  TouchRegions Regions;
  R.scan(Regions);
  EXPECT_EQ(R.far(0), 0);
  EXPECT_EQ(R.far(1), 0);
}

TEST(TouchRegionsTest, FewTouchesProveNothing) {
  Row R;
  R.add(5000, {0, 0});
  for (unsigned I = 0; I != 5; ++I)
    R.Objects[100 + I].State = {true, true};
  TouchRegions Regions;
  R.scan(Regions);
  EXPECT_EQ(R.far(0), 0);
  EXPECT_EQ(R.far(1), 0);
}

TEST(TouchRegionsTest, BurstsAndSizeClassesCountForThemselves) {
  Row R;
  R.add(5000, {1});
  R.add(5000, {0});
  for (size_t I = 2500; I != 5000; ++I)
    R.Objects[I].State.InBurst = false;
  TouchRegions Regions;
  R.scan(Regions);
  EXPECT_NEAR(R.Tables[0].Far[Window], 5000, 100);
  EXPECT_NEAR(R.Tables[0].FarInBurst[Window], 7500, 100);
  // Without a burst nothing is said of it. The same context adds up.
  R.scan(Regions, 1, /*HasBurst=*/false);
  EXPECT_NEAR(R.Tables[0].Far[Window], 10000, 200);
  EXPECT_NEAR(R.Tables[0].FarInBurst[Window], 7500, 100);
  // What was touched in another class says nothing of how units lie in this.
  Row Few;
  Few.add(1000, {0});
  Few.Objects[500].State = {true, true};
  Few.scan(Regions);
  EXPECT_EQ(Few.Tables[0].Far[Window], 0u);
}

/// The part of the objects of context 0 that lie among those that were born,
/// but were not.
static double amongBorn(Row &R, size_t Step) {
  for (TouchTable &T : R.Tables)
    T = {};
  TouchRegions Regions;
  R.scan(Regions, Step);
  EXPECT_EQ(R.Tables[0].AmongBorn[Window],
            R.Tables[0].AmongBornInBurst[Window]);
  return R.Tables[0].AmongBorn[Window] / R.count(0);
}

static void bear(TouchState &State) {
  State = {};
  State.BornInWindow = State.BornInBurst = true;
}

TEST(TouchRegionsTest, WhatIsBornSideBySideIsAmongItsLike) {
  for (size_t Step : {1, 16}) {
    Row R;
    R.add(40000, {0.5, 0});
    for (size_t I = 10000; I != 14000; ++I)
      bear(R.Objects[I].State);
    EXPECT_LT(amongBorn(R, Step), 0.02) << Step;
    // They are far from what is touched again.
    EXPECT_NEAR(R.far(0), 0.1, 0.01) << Step;
  }
}

TEST(TouchRegionsTest, WhatIsBornInHolesIsAmongOthers) {
  for (size_t Step : {1, 16})
    for (unsigned Part : {2, 10, 100, 1000})
      // Alone, and four of a session together.
      for (size_t Together : {1, 4}) {
        Row R;
        R.add(64000, {0.5, 0});
        double Born = 0;
        for (size_t I = 0; I != R.Objects.size(); I += Together)
          for (bool Is = R.Random() % Part == 0; size_t J : {0, 1, 2, 3})
            if (Is && J < Together) {
              bear(R.Objects[I + J].State);
              Born += R.Objects[I + J].Context == 0;
            }
        const double Touched =
            1 - std::pow(1 - 1.0 / Part, Row::PerPage / Together);
        EXPECT_NEAR(amongBorn(R, Step), Touched - Born / R.count(0),
                    Step == 1 ? 0.05 : 0.15)
            << Step << ", " << Part << ", " << Together;
      }
}

TEST(TouchRegionsTest, WhatOthersBearInHolesCountsForWhoLiesThere) {
  for (size_t Step : {1, 16}) {
    // What is made at first is replaced, one by one, by what another context
    // makes; the third lies elsewhere.
    Row R;
    R.add(40000, {0, 0});
    for (auto &Each : R.Objects)
      Each.Context = 0;
    for (unsigned I = 0; I != 400; ++I) {
      auto &Each = R.Objects[R.Random() % R.Objects.size()];
      Each.Context = 1;
      bear(Each.State);
    }
    const size_t NumBefore = R.Objects.size();
    R.add(10000, {0});
    for (size_t I = NumBefore; I != R.Objects.size(); ++I)
      R.Objects[I].Context = 2;
    const double Touched = 1 - std::pow(1 - 0.01, Row::PerPage);
    EXPECT_NEAR(amongBorn(R, Step), Touched, Step == 1 ? 0.05 : 0.2) << Step;
    EXPECT_EQ(R.Tables[1].AmongBorn[Window], 0u) << Step;
    EXPECT_LT(R.Tables[2].AmongBorn[Window], 100u) << Step;
  }
}

TEST(TouchRegionsTest, HolesInPartOfAHeapAreAmongOthersThere) {
  Row R;
  R.add(60000, {0.5, 0});
  for (size_t I = 0; I != 30000; I += 3)
    bear(R.Objects[I].State);
  EXPECT_NEAR(amongBorn(R, 1), 0.333, 0.03);
}

TEST(TouchRegionsTest, BirthsMakeNothingNear) {
  Row R;
  R.add(5000, {1});
  R.add(5000, {0});
  for (size_t I = 5000; I != 7500; ++I)
    bear(R.Objects[I].State);
  TouchRegions Regions;
  R.scan(Regions);
  EXPECT_NEAR(R.Tables[0].Far[Window], 5000, 100);
  EXPECT_LT(R.Tables[0].AmongBorn[Window], 50u);
}

TEST(TouchRegionsTest, FarUnitsWereNotTouched) {
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    Row R;
    R.Random.seed(Seed);
    for (unsigned Stretch = 0; Stretch != 4; ++Stretch)
      R.add(R.Random() % 300,
            {R.Random() % 100 / 99.0, R.Random() % 3 / 200.0, 0});
    TouchRegions Regions;
    R.scan(Regions);
    for (unsigned Context = 0; Context != 3; ++Context) {
      uint32_t Untouched = 0;
      for (const Row::Object &O : R.Objects)
        Untouched += O.Context == Context && !O.State.InWindow;
      EXPECT_LE(R.Tables[Context].Far[Window], Untouched) << Seed;
    }
  }
}
