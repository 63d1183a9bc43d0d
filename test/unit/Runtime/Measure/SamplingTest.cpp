//===- unit/Runtime/Measure/SamplingTest.cpp - Estimates and their errors -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/Sampling.h"
#include "measure/MeasureCache.h"
#include "measure/StratifiedSampler.h"
#include "gtest/gtest.h"
#include <cmath>
#include <memory>
#include <random>

using namespace thermocline::runtime;

static Lifetime lifetime(uint64_t Size, uint64_t Accesses,
                         uint32_t LifetimeMs) {
  Lifetime L;
  L.SizeBytes = Size;
  L.Accesses = Accesses;
  L.AllocatedAt = 100;
  L.FreedAt = 100 + LifetimeMs;
  return L;
}

static MemInfoBlock measured(uint64_t Size, uint64_t Accesses,
                             uint32_t LifetimeMs) {
  return measuresOf(lifetime(Size, Accesses, LifetimeMs));
}

namespace {
/// One context.
struct Estimate {
  MemInfoBlock Measures;
  SampleSums Sums = {};
  void add(const MemInfoBlock &Single, uint32_t Weight) {
    Sums.add(Single, Weight);
    addWeighted(Measures, Single, Weight);
  }
};
} // namespace

TEST(SamplingTest, WeightMultipliesTotalsAndNoExtremes) {
  Estimate E;
  E.add(measured(10, 7, 3), 1);
  E.add(measured(100, 50, 20), 30);
  EXPECT_EQ(E.Measures.AllocCount, 31u);
  EXPECT_EQ(E.Measures.TotalSize, 10u + 3000);
  EXPECT_EQ(E.Measures.TotalAccessCount, 7u + 1500);
  EXPECT_EQ(E.Measures.TotalLifetime, 3u + 600);
  EXPECT_EQ(E.Measures.MaxSize, 100u);
  EXPECT_EQ(E.Measures.MaxAccessCount, 50u);
  EXPECT_EQ(E.Measures.MaxLifetime, 20u);
  EXPECT_EQ(E.Sums.Measured, 2u);
  EXPECT_EQ(E.Sums.Ones, 30.0 * 29);
  EXPECT_EQ(E.Sums.Size2, 30.0 * 29 * 100 * 100);
}

// Through a thread's cache and batches as directly.
TEST(SamplingTest, BatchesKeepWeights) {
  Contexts C;
  ASSERT_TRUE(C.initialize({1 << 20, 100, 64}));
  auto Cache = std::make_unique<MeasureCache>();
  std::mt19937 Random(5);
  uint64_t Call = 9;
  ContextId Id = C.find(&Call, 1);
  Estimate Direct;
  for (int I = 0; I != 1000; ++I) {
    Lifetime L = lifetime(1 + Random() % 100, Random() % 50, Random() % 9);
    uint32_t Weight = 1 + Random() % 10;
    Direct.add(measuresOf(L), Weight);
    Cache->add(C, Id, L, Weight);
    if (Random() % 50 == 0)
      Cache->flush(C, false);
  }
  Cache->flush(C, false);
  Contexts::View V = C.view(0);
  EXPECT_TRUE(V.Measures == Direct.Measures);
  EXPECT_EQ(V.Samples.Measured, Direct.Sums.Measured);
  EXPECT_DOUBLE_EQ(V.Samples.Accesses2, Direct.Sums.Accesses2);
  EXPECT_DOUBLE_EQ(V.Samples.SizeAccesses, Direct.Sums.SizeAccesses);
  EXPECT_DOUBLE_EQ(V.Samples.LifetimeDensity2, Direct.Sums.LifetimeDensity2);
  C.clearMeasures();
  EXPECT_EQ(C.view(0).Samples.Measured, 0u);
}

TEST(SamplingTest, WhatIsExactStaysAsItIs) {
  Estimate E;
  for (int I = 0; I != 5; ++I)
    E.add(measured(64, I, 10), 1);
  MemInfoBlock Before = E.Measures;
  SampleErrors Errors = limitDensities(E.Measures, E.Sums, false, false);
  EXPECT_TRUE(E.Measures == Before);
  EXPECT_FALSE(Errors.HasGaps);
  EXPECT_EQ(Errors.AccessesVariance, 0);
  // That others at the place were accessed says nothing new.
  limitDensities(E.Measures, E.Sums, false, true);
  EXPECT_TRUE(E.Measures == Before);
}

TEST(SamplingTest, NoAccessIsBelievedOnlyOfUntouchedPlaces) {
  Estimate E;
  for (int I = 0; I != 100; ++I)
    E.add(measured(64, 0, 1000), 50);
  MemInfoBlock Untouched = E.Measures, Touched = E.Measures;
  limitDensities(Untouched, E.Sums, true, false);
  EXPECT_TRUE(Untouched == E.Measures);
  limitDensities(Touched, E.Sums, true, true);
  EXPECT_EQ(Touched.TotalLifetimeAccessDensity,
            uint64_t(Touched.AllocCount) * UnknownAccessDensity);
  // Also of a context that has no gaps itself as far as anyone knows.
  Estimate One;
  One.add(measured(64, 0, 1000), 1);
  limitDensities(One.Measures, One.Sums, false, true);
  EXPECT_EQ(One.Measures.TotalLifetimeAccessDensity, UnknownAccessDensity);
}

TEST(SamplingTest, TooFewAreNeitherColdNorHot) {
  for (bool HasWeights : {false, true}) {
    Estimate E;
    for (unsigned I = 0; I + 1 != LeastMeasured; ++I)
      E.add(measured(64, 1, 1000), HasWeights ? 9 : 1);
    limitDensities(E.Measures, E.Sums, true, true);
    uint64_t Limit = uint64_t(E.Measures.AllocCount) * UnknownAccessDensity;
    EXPECT_EQ(E.Measures.TotalLifetimeAccessDensity, Limit);
    EXPECT_EQ(E.Measures.TotalAccessDensity, Limit);
    EXPECT_EQ(E.Measures.TotalAccessCount, E.Measures.AllocCount);
  }
}

// What is hot remains so, by as much.
TEST(SamplingTest, LimitsMakeNothingHot) {
  Estimate Hot, Warm;
  for (int I = 0; I != 20; ++I) {
    Hot.add(measured(10, 1000000, 1), 10);
    Warm.add(measured(10, I ? 1 : 100000, 1000), 10);
  }
  MemInfoBlock Before = Hot.Measures;
  limitDensities(Hot.Measures, Hot.Sums, true, true);
  EXPECT_TRUE(Hot.Measures == Before);
  limitDensities(Warm.Measures, Warm.Sums, true, true);
  EXPECT_LE(Warm.Measures.TotalLifetimeAccessDensity / Warm.Measures.AllocCount,
            UnknownAccessDensity);
}

// Over many programs: totals are right on average, errors are as large as said,
// and densities are below the limit in nearly all.
TEST(SamplingTest, ErrorsAreAsLargeAsEstimated) {
  constexpr int Runs = 400, Length = 3000;
  std::mt19937 Random(11);
  std::vector<MemInfoBlock> All;
  Estimate True;
  for (int I = 0; I != Length; ++I) {
    // One in ten is much accessed.
    uint64_t Size = 16 << (Random() % 4);
    uint64_t Accesses = Random() % 10 ? Random() % 20 : 200;
    All.push_back(measured(Size, Accesses, 1000));
    True.add(All.back(), 1);
  }
  double SumSize = 0, SumAccesses = 0, Squares = 0, Variances = 0;
  int Below = 0;
  auto S = std::make_unique<StratifiedSampler>();
  for (int Run = 0; Run != Runs; ++Run) {
    *S = {};
    S->seed(static_cast<uint64_t>(Run));
    Estimate E;
    Stratum *Found;
    for (const MemInfoBlock &M : All)
      if (uint32_t Weight = S->next(1, 50, Found))
        E.add(M, Weight);
    auto Accesses = static_cast<double>(+E.Measures.TotalAccessCount);
    SumSize += static_cast<double>(+E.Measures.TotalSize);
    SumAccesses += Accesses;
    double Error =
        Accesses - static_cast<double>(+True.Measures.TotalAccessCount);
    Squares += Error * Error;
    SampleErrors Errors = limitDensities(E.Measures, E.Sums, true, true);
    Variances += Errors.AccessesVariance;
    Below += E.Measures.TotalLifetimeAccessDensity / E.Measures.AllocCount >=
             True.Measures.TotalLifetimeAccessDensity / Length;
  }
  double Size = static_cast<double>(+True.Measures.TotalSize);
  double Accesses = static_cast<double>(+True.Measures.TotalAccessCount);
  EXPECT_NEAR(SumSize / Runs, Size, Size * 0.03);
  EXPECT_NEAR(SumAccesses / Runs, Accesses,
              4 * std::sqrt(Variances / Runs / Runs));
  EXPECT_LT(Squares, Variances * 1.2);
  EXPECT_GT(Squares, Variances * 0.6);
  EXPECT_GT(Below, Runs * 9 / 10);
}
