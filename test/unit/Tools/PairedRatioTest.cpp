//===- unit/Tools/PairedRatioTest.cpp -------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PairedRatio.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace thermocline::front;

static const std::vector<double> Ones(10, 1.0);

TEST(PairedRatio, MedianOfEvenAndOddCounts) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

TEST(PairedRatio, PairsAreDividedAndNotMedians) {
  // The machine was four times slower for two pairs.
  const PairedRatio R = pairedRatio({1, 4, 4}, {0.5, 2, 2});
  EXPECT_EQ(R.Median, 0.5);
}

TEST(PairedRatio, SixPairsAreTheFewestForAnInterval) {
  const std::vector<double> Five = {.1, .2, .3, .4, .5};
  EXPECT_FALSE(pairedRatio(llvm::ArrayRef(Ones).take_front(5), Five).Interval);
  EXPECT_EQ(pairedRatio(llvm::ArrayRef(Ones).take_front(5), Five).difference(),
            Difference::Unknown);
  const std::vector<double> Six = {.1, .2, .3, .4, .5, .6};
  const PairedRatio R = pairedRatio(llvm::ArrayRef(Ones).take_front(6), Six);
  ASSERT_TRUE(R.Interval);
  EXPECT_EQ(*R.Interval, std::pair(.1, .6));
  EXPECT_EQ(R.difference(), Difference::Less);
}

/// By the table of the sign test: of 10 the 2nd, of 20 the 6th, of 50 the 18th.
TEST(PairedRatio, RanksAreThoseOfTheSignTest) {
  for (auto [Count, Rank] :
       {std::pair(8, 1), {9, 2}, {10, 2}, {20, 6}, {50, 18}, {100, 40}}) {
    std::vector<double> Before(Count, 1.0), After;
    for (int I = 1; I <= Count; ++I)
      After.push_back(I);
    const PairedRatio R = pairedRatio(Before, After);
    ASSERT_TRUE(R.Interval);
    EXPECT_EQ(R.Interval->first, Rank) << Count;
    EXPECT_EQ(R.Interval->second, Count + 1 - Rank) << Count;
  }
}

TEST(PairedRatio, DifferenceIsSeenIfTheIntervalLeavesOutOne) {
  std::vector<double> After = {.9, .9, .9, .9, .9, .9, .9, .9, .9, 1.3};
  EXPECT_EQ(pairedRatio(Ones, After).difference(), Difference::Less);
  After[0] = 1;
  EXPECT_EQ(pairedRatio(Ones, After).difference(), Difference::None);
  EXPECT_EQ(pairedRatio(After, Ones).difference(), Difference::None);
  EXPECT_EQ(pairedRatio(Ones, Ones).difference(), Difference::None);
  EXPECT_EQ(pairedRatio(Ones, std::vector<double>(10, 1.1)).difference(),
            Difference::More);
}

TEST(PairedRatio, NothingToNothingIsOne) {
  const std::vector<double> Zeros(6, 0.0);
  EXPECT_EQ(pairedRatio(Zeros, Zeros).difference(), Difference::None);
  const PairedRatio R = pairedRatio(Zeros, std::vector<double>(6, 1.0));
  EXPECT_TRUE(std::isinf(R.Median));
  EXPECT_EQ(R.difference(), Difference::More);
}

TEST(PairedRatio, AThousandPairs) {
  const std::vector<double> Many(1000, 2.0);
  EXPECT_EQ(pairedRatio(Many, Many).Interval, std::pair(1.0, 1.0));
}
