//===- unit/Runtime/Heap/BlockSampleTest.cpp - Some of many blocks --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/BlockSample.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cmath>
#include <set>

using namespace thermocline::runtime;

namespace {

constexpr unsigned Class = 3;

struct Visits {
  std::set<uint64_t> Counted;
  std::set<uint64_t> Joining;
  unsigned Shift = 0;
};

/// What a scan of \p Number blocks visits.
Visits scan(BlockSample &Sample, uint64_t Number, bool Refines = false) {
  Visits Result;
  Sample.beginScan(Refines);
  const SampleGroups G = Sample.ofClass(Class, Number);
  Result.Shift = G.Counted;
  for (uint64_t Group = 0; Group << G.Visited < Number; ++Group)
    if (const uint64_t N = G.visited(Group); N < Number) {
      EXPECT_EQ(N >> G.Visited, Group);
      (G.isCounted(N) ? Result.Counted : Result.Joining).insert(N);
    }
  return Result;
}

bool contains(const std::set<uint64_t> &All, const std::set<uint64_t> &Some) {
  return std::includes(All.begin(), All.end(), Some.begin(), Some.end());
}

} // namespace

TEST(BlockSampleTest, AFewAreAllVisited) {
  BlockSample Sample;
  const Visits V = scan(Sample, BlockSample::LeastLimit - 1);
  EXPECT_EQ(V.Counted.size(), BlockSample::LeastLimit - 1);
  EXPECT_TRUE(V.Joining.empty());
}

TEST(BlockSampleTest, WhatIsVisitedLaterWasVisitedBefore) {
  BlockSample Sample;
  std::set<uint64_t> Before;
  uint64_t NumberBefore = 0;
  for (uint64_t Number = 1000; Number < 10'000'000; Number = Number * 7 / 5) {
    const Visits V = scan(Sample, Number);
    EXPECT_TRUE(V.Joining.empty());
    EXPECT_LE(V.Counted.size(), BlockSample::LeastLimit);
    if (Number >= BlockSample::LeastLimit)
      EXPECT_GE(V.Counted.size(), BlockSample::LeastLimit / 2 - 1);
    for (uint64_t N : V.Counted)
      EXPECT_TRUE(Before.count(N) || N >= NumberBefore) << N;
    Before = V.Counted;
    NumberBefore = Number;
  }
}

TEST(BlockSampleTest, OfPagesThereAreFewer) {
  BlockSample Sample;
  constexpr uint64_t Limit = BlockSample::LeastLimit / BlockSample::CostOfPage;
  Sample.beginScan(false);
  EXPECT_EQ(Sample.ofPages(Limit - 1).Visited, 0u);
  EXPECT_EQ(Sample.ofPages(Limit).Visited, 1u);
  EXPECT_EQ(Sample.ofClass(Class, Limit).Visited, 0u);
  EXPECT_EQ(BlockSample::whole().ofPages(Limit).Visited, 0u);
}

TEST(BlockSampleTest, GroupsStayAsTheyAreWhenBlocksAreFewer) {
  BlockSample Sample;
  const unsigned Shift = scan(Sample, 1'000'000).Shift;
  EXPECT_GT(Shift, 0u);
  EXPECT_EQ(scan(Sample, 10).Shift, Shift);
}

/// A program may allocate by any pattern: of each kind there are as many visits
/// as by pure chance, or nearly.
TEST(BlockSampleTest, NoPatternIsPreferred) {
  constexpr uint64_t Number = 1'000'000;
  BlockSample Sample;
  const Visits V = scan(Sample, Number);
  for (uint64_t Period : {2, 3, 4, 5, 8, 13, 16, 64, 128, 144, 1000})
    for (uint64_t Rest : {uint64_t(0), Period / 2, Period - 1}) {
      double Found = 0;
      for (uint64_t N : V.Counted)
        Found += N % Period == Rest;
      const double Expected =
          static_cast<double>(V.Counted.size()) / static_cast<double>(Period);
      EXPECT_NEAR(Found, Expected, 4 * std::sqrt(Expected))
          << Rest << " of " << Period;
    }
}

TEST(BlockSampleTest, BlocksJoinWithoutBeingCounted) {
  constexpr uint64_t Number = 100'000;
  BlockSample Sample;
  const Visits Before = scan(Sample, Number);
  EXPECT_EQ(Before.Shift, 5u);
  const Visits Joins = scan(Sample, Number, /*Refines=*/true);
  EXPECT_EQ(Joins.Shift, 5u);
  EXPECT_EQ(Joins.Counted, Before.Counted);
  EXPECT_EQ(Joins.Joining.size(), Before.Counted.size());
  const Visits After = scan(Sample, Number);
  EXPECT_EQ(After.Shift, 4u);
  EXPECT_EQ(After.Counted.size(), Joins.Counted.size() + Joins.Joining.size());
  EXPECT_TRUE(contains(After.Counted, Joins.Counted));
  EXPECT_TRUE(contains(After.Counted, Joins.Joining));
  for (int I = 0; I != 6; ++I)
    scan(Sample, Number, /*Refines=*/true);
  EXPECT_EQ(scan(Sample, Number).Counted.size(), Number);
}

TEST(BlockSampleTest, NothingJoinsIfAllAreVisited) {
  BlockSample Sample;
  scan(Sample, 100);
  EXPECT_TRUE(scan(Sample, 100, /*Refines=*/true).Joining.empty());
  EXPECT_EQ(scan(Sample, BlockSample::LeastLimit).Shift, 1u)
      << "and the limit is what it was";
}

TEST(BlockSampleTest, BlocksJoinThoughOthersAreNew) {
  BlockSample Sample;
  scan(Sample, 20'000);
  const Visits V = scan(Sample, 50'000, /*Refines=*/true);
  EXPECT_EQ(V.Shift, 3u);
  for (uint64_t N : V.Counted)
    EXPECT_FALSE(V.Joining.count(N));
  EXPECT_EQ(scan(Sample, 50'000).Shift, 3u);
}
