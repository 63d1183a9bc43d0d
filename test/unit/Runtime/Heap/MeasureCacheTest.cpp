//===- unit/Runtime/Heap/MeasureCacheTest.cpp - Measures merged in batches ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/MeasureCache.h"
#include "gtest/gtest.h"
#include <iterator>
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace thermocline::runtime;

static Lifetime randomLifetime(std::mt19937 &Random, uint32_t Now) {
  Lifetime L;
  L.SizeBytes = 1 + Random() % 1000;
  L.Accesses = Random() % 5000;
  L.FreedAt = Now;
  L.AllocatedAt = Now - Random() % 30;
  L.AllocatedOnCpu = Random() % 3;
  L.FreedOnCpu = Random() % 3;
  return L;
}

// Whatever the lifetime, LLVM's own way of merging is the measure.
TEST(MeasureCacheTest, MergesALifetimeAsItsRecord) {
  std::mt19937_64 Random(3);
  constexpr uint64_t Sizes[] = {0, 1, 24, 4096, UINT32_MAX, 1ull << 40};
  constexpr uint64_t Accesses[] = {0, 0, 1, 77, 1ull << 33, 1ull << 60};
  constexpr uint32_t Times[] = {0, 1, 2, 1000, UINT32_MAX};
  auto Pick = [&](auto &Values) {
    return Values[Random() % std::size(Values)];
  };
  for (int Round = 0; Round != 2000; ++Round) {
    MemInfoBlock Expected, Merged;
    for (int I = 0; I != 20; ++I) {
      Lifetime L;
      L.SizeBytes = Random() % 2 ? Pick(Sizes) : Random() % 100;
      L.Accesses = Random() % 2 ? Pick(Accesses) : Random() % 100;
      L.AllocatedAt = static_cast<uint32_t>(Random() % 1000);
      L.FreedAt = L.AllocatedAt + Pick(Times);
      L.AllocatedOnCpu = static_cast<uint32_t>(Random() % 3);
      L.FreedOnCpu = static_cast<uint32_t>(Random() % 3);
      if (I) {
        Expected.Merge(measuresOf(L));
        mergeLifetime(Merged, L);
      } else {
        Expected = Merged = measuresOf(L);
      }
      ASSERT_TRUE(Merged == Expected);
    }
  }
}

// In one thread a batch is as exact as merging one by one, in every field and
// with flushes anywhere.
TEST(MeasureCacheTest, BatchesOfOneThreadMergeAsSingleAllocations) {
  Contexts Direct, Cached;
  ASSERT_TRUE(Direct.initialize({1 << 20, 1000, 64}));
  ASSERT_TRUE(Cached.initialize({1 << 20, 1000, 64}));
  auto Cache = std::make_unique<MeasureCache>();
  std::vector<ContextId> Ids;
  for (uint64_t Call = 1; Call <= 200; ++Call) {
    Ids.push_back(Direct.find(&Call, 1));
    ASSERT_EQ(Cached.find(&Call, 1), Ids.back());
  }
  std::mt19937 Random(7);
  for (uint32_t I = 0; I != 50000; ++I) {
    // Some contexts often, others so that they take each other's places.
    ContextId Id = Ids[Random() % (Random() % 2 ? 4 : Ids.size())];
    Lifetime L = randomLifetime(Random, 100 + I / 10);
    Direct.add(Id, measuresOf(L));
    Cache->add(Cached, Id, L);
    if (Random() % 1000 == 0)
      Cache->flush(Cached, false);
  }
  Cache->flush(Cached, false);
  for (uint32_t Number = 0; Number != Direct.size(); ++Number)
    EXPECT_TRUE(Direct.view(Number).Measures == Cached.view(Number).Measures)
        << Number;
}

TEST(MeasureCacheTest, ForgetsWhatItHas) {
  Contexts C;
  ASSERT_TRUE(C.initialize({1 << 20, 10, 16}));
  auto Cache = std::make_unique<MeasureCache>();
  uint64_t Call = 5;
  ContextId Id = C.find(&Call, 1);
  std::mt19937 Random(1);
  Cache->add(C, Id, randomLifetime(Random, 100));
  Cache->forget();
  Cache->flush(C, false);
  EXPECT_EQ(C.view(0).Measures.AllocCount, 0u);
}

// What does not depend on the order is exact whatever the threads do.
TEST(MeasureCacheTest, SumsOverThreadsAreExact) {
  Contexts C;
  ASSERT_TRUE(C.initialize({1 << 20, 1000, 64}));
  std::vector<ContextId> Ids;
  for (uint64_t Call = 1; Call <= 100; ++Call)
    Ids.push_back(C.find(&Call, 1));
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != 4; ++T)
    Threads.emplace_back([&, T] {
      auto Cache = std::make_unique<MeasureCache>();
      Lifetime L;
      for (uint64_t I = 0; I != 40000; ++I) {
        L.SizeBytes = 10 + T;
        L.Accesses = I % 7;
        Cache->add(C, Ids[I % Ids.size()], L);
      }
      Cache->flush(C, false);
    });
  for (std::thread &T : Threads)
    T.join();
  uint64_t Accesses = 0;
  for (uint64_t I = 0; I != 40000; ++I)
    Accesses += 4 * (I % 7);
  for (uint32_t Number = 0; Number != C.size(); ++Number) {
    MemInfoBlock M = C.view(Number).Measures;
    EXPECT_EQ(M.AllocCount, 1600u);
    EXPECT_EQ(M.TotalSize, 400u * (10 + 11 + 12 + 13));
    EXPECT_EQ(M.MinSize, 10u);
    EXPECT_EQ(M.MaxSize, 13u);
    Accesses -= M.TotalAccessCount;
  }
  EXPECT_EQ(Accesses, 0u);
}
