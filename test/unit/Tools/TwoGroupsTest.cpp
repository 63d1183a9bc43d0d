//===- unit/Tools/TwoGroupsTest.cpp ---------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TwoGroups.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace thermocline::front;

TEST(TwoGroups, TwoTimesOfAProgram) {
  const auto Groups =
      findTwoGroups({100, 150, 101, 149, 99, 152, 98, 103, 151});
  ASSERT_TRUE(Groups.has_value());
  EXPECT_EQ(Groups->Low, 100);
  EXPECT_EQ(Groups->High, 150.5);
}

TEST(TwoGroups, OneSlowRunIsNone) {
  EXPECT_FALSE(findTwoGroups({100, 101, 99, 98, 102, 100, 101, 300}));
  EXPECT_TRUE(findTwoGroups({100, 101, 99, 98, 102, 100, 299, 300}));
}

TEST(TwoGroups, TooFewRuns) {
  EXPECT_FALSE(findTwoGroups({1, 1, 1, 1, 2, 2, 2}));
  EXPECT_TRUE(findTwoGroups({1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(TwoGroups, LittleThingsDoNotMatter) {
  EXPECT_FALSE(findTwoGroups({100, 100, 100, 100, 109, 109, 109, 109}));
  EXPECT_FALSE(findTwoGroups(std::vector<double>(20, 0)));
}

TEST(TwoGroups, NoiseIsOneGroup) {
  unsigned Found = 0;
  constexpr unsigned All = 2000;
  for (unsigned Seed = 0; Seed != All; ++Seed) {
    std::mt19937 Random(Seed);
    std::normal_distribution<double> Noise(100, 10);
    std::vector<double> Times(10);
    for (double &Each : Times)
      Each = Noise(Random);
    Found += findTwoGroups(Times).has_value();
  }
  EXPECT_LT(Found, All / 50);
}
