//===- Instrument/HeapTest.cpp - The memory below the profiled allocator --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "gtest/gtest.h"
#include <cstring>
#include <memory>
#include <set>
#include <vector>

using namespace thermocline::runtime;

TEST(HeapTest, BlocksDoNotOverlapAndAreFound) {
  auto H = std::make_unique<Heap>();
  ASSERT_TRUE(H->initialize());
  std::vector<std::pair<char *, size_t>> Blocks;
  for (size_t Size = 33; Size < 400000; Size = Size * 5 / 4 + 1)
    for (int I = 0; I != 3; ++I) {
      Heap::Block B = H->allocate(Size);
      ASSERT_TRUE(B.Begin);
      EXPECT_TRUE(B.Zeroed);
      Blocks.push_back({static_cast<char *>(B.Begin), Size});
    }
  for (auto [Begin, Size] : Blocks) {
    for (size_t I = 0; I < Size; I += 31)
      ASSERT_EQ(Begin[I], 0);
    memset(Begin, 0xee, Size);
    uintptr_t Found;
    size_t FoundSize;
    if (H->findSmall(reinterpret_cast<uintptr_t>(Begin) + Size - 1, Found,
                     FoundSize)) {
      EXPECT_EQ(Found, reinterpret_cast<uintptr_t>(Begin));
      EXPECT_GE(FoundSize, Size);
    } else {
      EXPECT_GT(Size, sizeclass::Max);
    }
  }
  std::set<void *> Visited;
  H->visitBlocks([&](void *Block) { Visited.insert(Block); }, false);
  EXPECT_EQ(Visited.size(), Blocks.size());
  for (auto [Begin, Size] : Blocks)
    EXPECT_TRUE(Visited.count(Begin));
  for (auto [Begin, Size] : Blocks)
    H->release(Begin);
}

TEST(HeapTest, ReusesWhatWasReleasedLast) {
  auto H = std::make_unique<Heap>();
  ASSERT_TRUE(H->initialize());
  void *A = H->allocate(100).Begin, *B = H->allocate(100).Begin;
  H->release(A);
  H->release(B);
  Heap::Block C = H->allocate(97);
  EXPECT_EQ(C.Begin, B);
  EXPECT_FALSE(C.Zeroed);
  EXPECT_EQ(H->allocate(120).Begin, A);
}

TEST(HeapTest, RefusesTheImpossible) {
  auto H = std::make_unique<Heap>();
  ASSERT_TRUE(H->initialize());
  EXPECT_EQ(H->allocate(SIZE_MAX).Begin, nullptr);
  EXPECT_EQ(H->allocate(size_t(1) << 60).Begin, nullptr);
}
