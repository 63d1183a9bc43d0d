//===- Runtime/Heap/WatchedSampleTest.cpp - Which objects are watched -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/WatchedSample.h"
#include "gtest/gtest.h"
#include <cmath>
#include <memory>
#include <random>
#include <vector>

using namespace thermocline::runtime;

namespace {

/// Pages as WatchedPages has them, for objects that have numbers.
class Watching {
public:
  explicit Watching(unsigned Seed, unsigned NumPages = WatchedSample::MaxPages)
      : Random(Seed), Kinds(NumPages, -1), NumPages(NumPages) {
    for (unsigned Page = NumPages; Page != 0; --Page)
      Free.push_back(Page - 1);
  }

  /// An object of \p Kind. \returns its page; or none.
  int take(int Kind, uint32_t Weight, size_t Bytes = 64) {
    WatchedSample::Candidate C = {Weight, WatchedSample::worthOf(Bytes),
                                  uint32_t(Random())};
    if (Free.empty() || !Sample->choose(C, inUse(), NumPages))
      return -1;
    const unsigned Page = Free.back();
    Free.pop_back();
    Sample->add(Page, C);
    Kinds[Page] = Kind;
    return static_cast<int>(Page);
  }
  void giveBack(int Page) {
    if (Page < 0)
      return;
    Sample->remove(static_cast<unsigned>(Page));
    Free.push_back(static_cast<unsigned>(Page));
    Kinds[static_cast<size_t>(Page)] = -1;
  }
  void watchFewer() { Sample->watchFewer(); }
  unsigned inUse() const {
    return NumPages - static_cast<unsigned>(Free.size());
  }

  /// For how many the objects of \p Kind stand.
  double standFor(int Kind) const {
    double Sum = 0;
    for (unsigned Page = 0; Page != NumPages; ++Page)
      if (Kinds[Page] == Kind)
        Sum += Sample->weight(Page);
    return Sum;
  }
  /// How many objects of \p Kind are watched.
  unsigned number(int Kind) const {
    unsigned Result = 0;
    for (unsigned Page = 0; Page != NumPages; ++Page)
      Result += Kinds[Page] == Kind && Sample->weight(Page);
    return Result;
  }
  /// As many objects of equal weight have the same error.
  double effectiveNumber() const {
    double Sum = 0, Squares = 0;
    for (unsigned Page = 0; Page != NumPages; ++Page)
      if (const double Weight = Kinds[Page] < 0 ? 0 : Sample->weight(Page)) {
        Sum += Weight;
        Squares += Weight * Weight;
      }
    return Squares > 0 ? Sum * Sum / Squares : 0;
  }

private:
  std::unique_ptr<WatchedSample> Sample = std::make_unique<WatchedSample>();
  std::mt19937 Random;
  std::vector<int> Kinds;
  std::vector<unsigned> Free;
  unsigned NumPages;
};

struct Estimates {
  double Mean = 0;
  /// Relative to the mean.
  double Error = 0;
};

/// Of what \p Run returns for so many seeds.
template <typename Function> Estimates estimate(unsigned Number, Function Run) {
  double Sum = 0, Squares = 0;
  for (unsigned Seed = 1; Seed <= Number; ++Seed) {
    const double Value = Run(Seed);
    Sum += Value;
    Squares += Value * Value;
  }
  const double Mean = Sum / Number;
  return {Mean, std::sqrt(Squares / Number - Mean * Mean) / Mean};
}

} // namespace

TEST(WatchedSampleTest, WhileThereIsRoomAllAreWatched) {
  Watching W(1);
  for (int I = 0; I != 1000; ++I)
    ASSERT_GE(W.take(0, 100), 0);
  EXPECT_EQ(W.standFor(0), 100000);
}

TEST(WatchedSampleTest, SumsAreRightWhateverComesWhen) {
  // A kind that comes first, one at the end, and a rare one in between.
  double First = 0, Last = 0, Rare = 0, Effective = 0;
  constexpr unsigned Number = 600;
  for (unsigned Seed = 1; Seed <= Number; ++Seed) {
    Watching W(Seed);
    for (int I = 0; I != 30000; ++I) {
      W.take(I < 15000 ? 0 : 1, 100);
      if (I % 300 == 0)
        W.take(2, 100);
    }
    First += W.standFor(0);
    Last += W.standFor(1);
    Rare += W.standFor(2);
    Effective += W.effectiveNumber();
  }
  EXPECT_NEAR(First / Number, 1500000, 15000);
  EXPECT_NEAR(Last / Number, 1500000, 15000);
  EXPECT_NEAR(Rare / Number, 10000, 800);
  EXPECT_GT(Effective / Number, 700);
}

TEST(WatchedSampleTest, WhatStandsForFewDoesNotTakeThePagesOfOthers) {
  Watching W(1);
  // The first allocations of many calls, and what these go on to allocate.
  for (int I = 0; I != 5000; ++I)
    W.take(0, 1);
  for (int I = 0; I != 8000; ++I)
    W.take(1, 100);
  EXPECT_GT(W.effectiveNumber(), 700);
  EXPECT_NEAR(W.standFor(1), 800000, 80000);
}

TEST(WatchedSampleTest, LargerObjectsAreWatchedMoreByTheRootOfTheirSize) {
  EXPECT_EQ(WatchedSample::worthOf(1), 1u);
  EXPECT_EQ(WatchedSample::worthOf(64), 8u);
  EXPECT_EQ(WatchedSample::worthOf(65536), 256u);
  double Small = 0, Large = 0, NumSmall = 0, NumLarge = 0;
  constexpr unsigned Number = 100;
  for (unsigned Seed = 1; Seed <= Number; ++Seed) {
    Watching W(Seed);
    for (int I = 0; I != 10000; ++I) {
      W.take(0, 100, /*Bytes=*/16);
      if (I % 10 == 0)
        W.take(1, 100, /*Bytes=*/1600);
    }
    NumSmall += W.number(0);
    NumLarge += W.number(1);
    Small += W.standFor(0);
    Large += W.standFor(1);
  }
  EXPECT_NEAR(NumLarge / NumSmall, 1, 0.1);
  EXPECT_NEAR(Small / Number, 1000000, 20000);
  EXPECT_NEAR(Large / Number, 100000, 2000);
}

TEST(WatchedSampleTest, MillionsAreSeenThroughFewPages) {
  double Early = 0, Late = 0;
  constexpr unsigned Number = 20;
  for (unsigned Seed = 1; Seed <= Number; ++Seed) {
    Watching W(Seed);
    for (int I = 0; I != 1000000; ++I) {
      W.take(I < 500000 ? 0 : 1, 1);
      ASSERT_LE(W.inUse(), WatchedSample::MaxPages);
    }
    Early += W.standFor(0);
    Late += W.standFor(1);
  }
  EXPECT_NEAR(Early / Number, 500000, 15000);
  EXPECT_NEAR(Late / Number, 500000, 50000);
}

TEST(WatchedSampleTest, NewObjectsAreWatchedWhenOldOnesAreGone) {
  Watching W(1);
  std::vector<int> Pages;
  for (int I = 0; I != 100000; ++I)
    Pages.push_back(W.take(0, 100));
  for (int Page : Pages)
    W.giveBack(Page);
  EXPECT_EQ(W.standFor(0), 0);
  for (int I = 0; I != 100; ++I)
    W.take(1, 1);
  Pages.clear();
  for (int I = 0; I != 1000; ++I)
    Pages.push_back(W.take(2, 1));
  EXPECT_EQ(W.standFor(2), 1000);
}

TEST(WatchedSampleTest, WhatLivesForShortIsCountedAsOften) {
  // Temporaries beside what stays: at any time 1,000 of them live.
  const Estimates Alive = estimate(40, [](unsigned Seed) {
    Watching W(Seed);
    std::vector<int> Temporaries(1000, -1);
    for (size_t I = 0; I != 40000; ++I) {
      int &Page = Temporaries[I % Temporaries.size()];
      W.giveBack(Page);
      Page = W.take(1, 10);
      W.take(0, 10);
    }
    return W.standFor(1);
  });
  EXPECT_NEAR(Alive.Mean, 10000, 1000);
  EXPECT_LT(Alive.Error, 0.3);
}

TEST(WatchedSampleTest, HalfAsManyAreWatchedIfThatIsTooDear) {
  double Stand = 0;
  constexpr unsigned Number = 40;
  for (unsigned Seed = 1; Seed <= Number; ++Seed) {
    Watching W(Seed);
    for (int I = 0; I != 2000; ++I)
      W.take(0, 100);
    EXPECT_EQ(W.number(0), 2000u);
    W.watchFewer();
    for (int I = 0; I != 100; ++I)
      W.take(0, 100);
    EXPECT_LE(W.number(0), 1024u);
    EXPECT_GT(W.number(0), 700u);
    Stand += W.standFor(0);
    // No fewer, however often that is asked for.
    W.watchFewer();
    W.take(0, 100);
    EXPECT_GT(W.number(0), 700u);
  }
  EXPECT_NEAR(Stand / Number, 210000, 4000);
}

TEST(WatchedSampleTest, FewPagesWillDo) {
  const Estimates Few = estimate(40, [](unsigned Seed) {
    Watching W(Seed, /*NumPages=*/1024);
    for (int I = 0; I != 2000; ++I)
      W.take(0, 100);
    return W.standFor(0);
  });
  EXPECT_NEAR(Few.Mean, 200000, 4000);
  EXPECT_LT(Few.Error, 0.1);
}
