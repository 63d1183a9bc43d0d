//===- Measure/ContextsTest.cpp - Calling contexts and their measures -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/Contexts.h"
#include "gtest/gtest.h"
#include <memory>
#include <set>
#include <thread>
#include <vector>

using namespace thermocline::runtime;

static std::unique_ptr<Contexts> make(Contexts::Capacity C) {
  auto Result = std::make_unique<Contexts>();
  EXPECT_TRUE(Result->initialize(C));
  return Result;
}

static MemInfoBlock allocation(uint64_t Size, uint64_t Accesses) {
  Lifetime L;
  L.SizeBytes = Size;
  L.Accesses = Accesses;
  L.AllocatedAt = 10;
  L.FreedAt = 30;
  return measuresOf(L);
}

TEST(ContextsTest, EqualCallsAreOneContext) {
  // One bucket: all contexts are in one chain.
  auto C = make({1 << 20, 1000, 1});
  std::set<ContextId> Ids;
  for (uint64_t A = 1; A <= 10; ++A)
    for (uint64_t B = 1; B <= 10; ++B) {
      uint64_t Calls[] = {A, B};
      for (size_t Size = 1; Size <= 2; ++Size) {
        ContextId Id = C->find(Calls, Size);
        EXPECT_NE(Id, ContextId::None);
        EXPECT_EQ(C->find(Calls, Size), Id);
        Ids.insert(Id);
      }
    }
  EXPECT_EQ(Ids.size(), 110u);
  EXPECT_EQ(C->size(), 110u);
}

TEST(ContextsTest, MergesMeasuresAndForgetsThem) {
  auto C = make({1 << 20, 1000, 16});
  uint64_t Calls[] = {5, 6, 7};
  ContextId Id = C->find(Calls, 3);
  C->add(Id, allocation(100, 3));
  C->add(Id, allocation(50, 9));
  Contexts::View V = C->view(C->numberOf(Id));
  ASSERT_EQ(V.NumCalls, 3u);
  EXPECT_EQ(V.Calls[2], 7u);
  EXPECT_EQ(V.Measures.AllocCount, 2u);
  EXPECT_EQ(V.Measures.TotalSize, 150u);
  EXPECT_EQ(V.Measures.TotalAccessCount, 12u);
  EXPECT_EQ(V.Measures.MinSize, 50u);
  EXPECT_EQ(V.Measures.MaxSize, 100u);
  EXPECT_EQ(V.Measures.TotalLifetime, 40u);
  C->clearMeasures();
  EXPECT_EQ(C->view(C->numberOf(Id)).Measures.AllocCount, 0u);
  EXPECT_EQ(C->find(Calls, 3), Id);
}

TEST(ContextsTest, CountsStayAtTheMost) {
  auto C = make({1 << 20, 1000, 16});
  uint64_t Calls[] = {5, 6, 7};
  ContextId Id = C->find(Calls, 3);
  MemInfoBlock Many = allocation(8, 1);
  Many.AllocCount = 4294967290U;
  Many.NumLifetimeOverlaps = Many.NumSameAllocCpu = Many.NumSameDeallocCpu =
      4294967290U;
  auto Check = [](const MemInfoBlock &M) {
    EXPECT_EQ(+M.AllocCount, UINT32_MAX);
    EXPECT_EQ(+M.NumLifetimeOverlaps, UINT32_MAX);
    EXPECT_EQ(+M.NumSameAllocCpu, UINT32_MAX);
    EXPECT_EQ(+M.NumSameDeallocCpu, UINT32_MAX);
  };
  // One by one, with weights, and many at once.
  C->add(Id, Many);
  for (int I = 0; I != 10; ++I)
    C->add(Id, allocation(8, 1));
  Check(C->view(C->numberOf(Id)).Measures);
  MemInfoBlock Weighed = Many;
  mergeMeasures(Weighed, allocation(8, 1), /*Weight=*/1000);
  Weighed.AllocCount = 4294967290U;
  MemInfoBlock Single = allocation(8, 1);
  addWeighted(Weighed, Single, 1000);
  Check(Weighed);
  MemInfoBlock Lives = Many;
  Lifetime L;
  L.SizeBytes = 8;
  L.AllocatedAt = 10;
  L.FreedAt = 30;
  for (int I = 0; I != 10; ++I)
    mergeLifetime(Lives, L);
  Check(Lives);
  C->clearMeasures();
  C->add(Id, Many);
  MeasureBatch Batch;
  Batch.begin(Many, 1);
  Batch.Sum.AllocCount = 100;
  C->add(Id, Batch, /*GiveUp=*/false);
  Check(C->view(C->numberOf(Id)).Measures);
}

TEST(ContextsTest, DensitiesStayAtTheMost) {
  Lifetime L;
  L.SizeBytes = 8;
  L.Accesses = uint64_t(1) << 40;
  for (MemInfoBlock M : {measuresOf(L), [&] {
                           MemInfoBlock Two = measuresOf(L);
                           mergeLifetime(Two, L);
                           return Two;
                         }()}) {
    EXPECT_EQ(+M.MinAccessDensity, UINT32_MAX);
    EXPECT_EQ(+M.MaxAccessDensity, UINT32_MAX);
    EXPECT_EQ(+M.MinLifetimeAccessDensity, UINT32_MAX);
    EXPECT_EQ(+M.MaxLifetimeAccessDensity, UINT32_MAX);
  }
}

TEST(ContextsTest, SizesBeyond32BitsKeepTheirTotal) {
  uint64_t Size = uint64_t(1) << 32;
  MemInfoBlock M = allocation(Size, 1);
  EXPECT_EQ(M.TotalSize, Size);
  EXPECT_EQ(M.MaxSize, UINT32_MAX);
}

// What finds no place is one context of its own, so that totals stay right.
TEST(ContextsTest, MergesWhatFindsNoPlace) {
  Contexts::Capacity Few = {1 << 20, 3, 16, 77};
  Contexts::Capacity Small = {4096, 1000, 16, 77};
  for (const Contexts::Capacity &Limits : {Few, Small}) {
    auto C = make(Limits);
    for (int Round = 0; Round != 2; ++Round)
      for (uint64_t Call = 1; Call <= 100; ++Call)
        C->add(C->find(&Call, 1), allocation(Call, 1));
    uint32_t Last = C->size() - 1;
    EXPECT_LT(Last, 100u);
    EXPECT_EQ(C->overflows(), 2 * (100u - Last));
    uint64_t Total = 0;
    for (uint32_t Number = 0; Number != Last; ++Number) {
      Contexts::View V = C->view(Number);
      EXPECT_EQ(V.Measures.AllocCount, 2u);
      EXPECT_EQ(V.Calls[0], Number + 1);
      Total += V.Measures.TotalSize;
    }
    Contexts::View Overflow = C->view(Last);
    ASSERT_EQ(Overflow.NumCalls, 1u);
    EXPECT_EQ(Overflow.Calls[0], 77u);
    EXPECT_EQ(Overflow.Measures.AllocCount, C->overflows());
    EXPECT_EQ(Total + Overflow.Measures.TotalSize, 2u * 5050);
    // A context of the same calls is another.
    uint64_t Call = 77;
    EXPECT_EQ(C->numberOf(C->find(&Call, 1)), Last < 77 ? Last : 76u);
  }
}

TEST(ContextsTest, LimitsCanBeLowered) {
  auto C = make({1 << 20, 1000, 16, 77});
  C->limit(5, size_t(1) << 30);
  for (uint64_t Call = 1; Call <= 100; ++Call)
    C->find(&Call, 1);
  EXPECT_EQ(C->size(), 6u);
  EXPECT_EQ(C->overflows(), 95u);
}

// The table is used in larger and larger parts.
TEST(ContextsTest, FindsEarlyAndLateContexts) {
  auto C = make({size_t(1) << 28, 100000, 1 << 17});
  constexpr uint64_t Count = 70000;
  std::vector<ContextId> Ids;
  for (uint64_t Call = 1; Call <= Count; ++Call) {
    uint64_t Calls[] = {Call, 7};
    Ids.push_back(C->find(Calls, 2));
  }
  EXPECT_EQ(C->size(), Count);
  for (uint64_t Call = 1; Call <= Count; ++Call) {
    uint64_t Calls[] = {Call, 7};
    ASSERT_EQ(C->find(Calls, 2), Ids[Call - 1]);
  }
  EXPECT_EQ(C->size(), Count);
}

TEST(ContextsTest, ThreadsAgreeOnContexts) {
  auto C = make({1 << 24, 10000, 64});
  std::vector<std::thread> Threads;
  for (int T = 0; T != 4; ++T)
    Threads.emplace_back([&] {
      for (uint64_t I = 0; I != 20000; ++I) {
        uint64_t Calls[] = {I % 500 + 1, I % 3};
        C->add(C->find(Calls, 2), allocation(8, 1));
      }
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(C->size(), 1500u);
  uint64_t Sum = 0;
  for (uint32_t Number = 0; Number != C->size(); ++Number)
    Sum += C->view(Number).Measures.AllocCount;
  EXPECT_EQ(Sum, 80000u);
}
