//===- unit/Runtime/Measure/HistogramTest.cpp - Accesses by offset --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/Contexts.h"
#include "gtest/gtest.h"
#include <memory>
#include <random>
#include <thread>
#include <vector>

using namespace thermocline::runtime;

static ByteCounters view(const std::vector<uint8_t> &Bytes) {
  return {Bytes.data(), static_cast<uint32_t>(Bytes.size())};
}

static std::vector<uint64_t> counters(const Histogram &H) {
  return {H.Counters, H.Counters + H.Size};
}

static MemInfoBlock anAllocation() {
  Lifetime L;
  L.SizeBytes = 8;
  return measuresOf(L);
}

TEST(HistogramTest, AddsCountersAndKeepsTheLongest) {
  Histograms Memory;
  std::mt19937 Random(3);
  std::vector<Histogram> Sums(7);
  std::vector<std::vector<uint64_t>> Expected(Sums.size());
  for (unsigned I = 0; I != 2000; ++I) {
    std::vector<uint8_t> Bytes(Random() % (I % 10 ? 40 : 3000));
    for (uint8_t &Byte : Bytes)
      Byte = Random() % 4 ? 0 : static_cast<uint8_t>(Random());
    size_t Index = Random() % Sums.size();
    Memory.add(Sums[Index], view(Bytes));
    Expected[Index].resize(std::max(Expected[Index].size(), Bytes.size()));
    for (size_t Counter = 0; Counter != Bytes.size(); ++Counter)
      Expected[Index][Counter] += Bytes[Counter];
  }
  for (size_t I = 0; I != Sums.size(); ++I)
    EXPECT_EQ(counters(Sums[I]), Expected[I]) << I;
  Histograms Others;
  Histogram All;
  for (const Histogram &Sum : Sums)
    Others.add(All, Sum);
  uint64_t First = 0;
  for (const std::vector<uint64_t> &E : Expected)
    First += E[0];
  EXPECT_EQ(All.Counters[0], First);
  EXPECT_TRUE(Memory.isComplete());
  Memory.release();
  Others.release();
}

TEST(HistogramTest, ClearedCountersBeginAtZeroAgain) {
  Histograms Memory;
  for (size_t Size : {3, 600, 5000}) {
    Histogram H;
    Memory.add(H, view(std::vector<uint8_t>(Size, 9)));
    Histograms::clear(H);
    EXPECT_EQ(H.Size, 0u);
    Memory.add(H, view(std::vector<uint8_t>(Size - 1, 1)));
    EXPECT_EQ(counters(H), std::vector<uint64_t>(Size - 1, 1));
    // What was cleared is not found beyond the end, either.
    Memory.add(H, view(std::vector<uint8_t>(Size, 0)));
    EXPECT_EQ(H.Counters[Size - 1], 0u);
  }
  Memory.release();
}

TEST(HistogramTest, WhatFindsNoRoomIsCutOffAndSaidSo) {
  Histograms Memory;
  Memory.limit(100 * sizeof(uint64_t));
  Histogram First, Second;
  Memory.add(First, view(std::vector<uint8_t>(60, 1)));
  Memory.add(Second, view(std::vector<uint8_t>(16, 2)));
  EXPECT_TRUE(Memory.isComplete());
  Memory.add(Second, view(std::vector<uint8_t>(100, 3)));
  EXPECT_FALSE(Memory.isComplete());
  EXPECT_EQ(counters(Second), std::vector<uint64_t>(16, 5));
  Histogram Third;
  Memory.add(Third, view(std::vector<uint8_t>(100, 3)));
  EXPECT_EQ(Third.Size, 0u);
  EXPECT_EQ(counters(First), std::vector<uint64_t>(60, 1));
  Memory.release();
}

TEST(HistogramTest, ContextsHaveThoseOfAllThreads) {
  Contexts C;
  ASSERT_TRUE(C.initialize({1 << 20, 1000, 64}));
  std::vector<ContextId> Ids;
  for (uint64_t Call = 1; Call <= 20; ++Call)
    Ids.push_back(C.find(&Call, 1));
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != 4; ++T)
    Threads.emplace_back([&] {
      for (unsigned I = 0; I != 4000; ++I)
        C.add(Ids[I % Ids.size()], anAllocation(),
              view(std::vector<uint8_t>(1 + I % 100, 1)));
    });
  for (std::thread &T : Threads)
    T.join();
  Histograms Copies;
  for (uint32_t Number = 0; Number != C.size(); ++Number) {
    Contexts::View V = C.view(Number, &Copies);
    EXPECT_EQ(V.Measures.AllocCount, 800u);
    // Lengths of a context are 1 + Number, 21 + Number ...
    std::vector<uint64_t> Expected(81 + Number);
    for (unsigned Length = 1 + Number; Length <= 100; Length += 20)
      for (unsigned I = 0; I != Length; ++I)
        Expected[I] += 160;
    EXPECT_EQ(counters(V.Accesses), Expected) << Number;
  }
  Copies.release();
  C.clearMeasures();
  EXPECT_EQ(C.view(0, &Copies).Accesses.Size, 0u);
  EXPECT_TRUE(C.hasAllHistograms());
}
