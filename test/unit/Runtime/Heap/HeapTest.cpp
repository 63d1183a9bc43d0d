//===- Runtime/Heap/HeapTest.cpp - The memory below the profiled allocator ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/Heap.h"
#include "gtest/gtest.h"
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

using namespace thermocline::runtime;

TEST(HeapTest, BlocksDoNotOverlapAndAreFound) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  std::vector<std::pair<char *, size_t>> Blocks;
  for (size_t Size = 33; Size < 400000; Size = Size * 5 / 4 + 1)
    for (int I = 0; I != 3; ++I) {
      Heap::Block B = H->allocate(Size, *Cache);
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
  H->visitBlocks([&](void *Block) { Visited.insert(Block); });
  EXPECT_GE(Visited.size(), Blocks.size());
  for (auto [Begin, Size] : Blocks)
    EXPECT_TRUE(Visited.count(Begin));
  for (auto [Begin, Size] : Blocks)
    H->release(Begin, *Cache);
}

TEST(HeapTest, ReusesWhatWasReleasedLast) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  for (size_t Size : {size_t(100), sizeclass::MaxCached + 100}) {
    void *A = H->allocate(Size, *Cache).Begin;
    void *B = H->allocate(Size, *Cache).Begin;
    H->release(A, *Cache);
    H->release(B, *Cache);
    Heap::Block C = H->allocate(Size - 3, *Cache);
    EXPECT_EQ(C.Begin, B);
    EXPECT_FALSE(C.Zeroed);
    EXPECT_EQ(H->allocate(Size, *Cache).Begin, A);
  }
}

TEST(HeapTest, RefusesTheImpossible) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  EXPECT_EQ(H->allocate(SIZE_MAX, *Cache).Begin, nullptr);
  EXPECT_EQ(H->allocate(size_t(1) << 60, *Cache).Begin, nullptr);
}

// One thread allocates, another frees: what the second gives back reaches the
// first, so that memory does not grow.
TEST(HeapTest, BatchesWanderBetweenThreads) {
  auto H = std::make_unique<Heap>();
  auto Producer = std::make_unique<HeapCache>();
  auto Consumer = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  std::set<void *> Seen;
  std::vector<void *> Queue;
  for (int Round = 0; Round != 1000; ++Round) {
    for (int I = 0; I != 50; ++I) {
      Queue.push_back(H->allocate(64, *Producer).Begin);
      Seen.insert(Queue.back());
    }
    EXPECT_EQ(std::set<void *>(Queue.begin(), Queue.end()).size(), 50u);
    for (void *Block : Queue)
      H->release(Block, *Consumer);
    Queue.clear();
  }
  EXPECT_LT(Seen.size(), 300u);
}

TEST(HeapTest, MovesLargeBlocks) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  auto Visits = [&](void *Wanted) {
    unsigned Result = 0;
    H->visitBlocks([&](void *Block) { Result += Block == Wanted; });
    return Result;
  };
  constexpr size_t MiB = 1 << 20;
  auto *P = static_cast<char *>(H->allocate(3 * MiB, *Cache).Begin);
  EXPECT_TRUE(Heap::fitsLarge(P, 3 * MiB));
  EXPECT_TRUE(Heap::fitsLarge(P, 2 * MiB));
  EXPECT_FALSE(Heap::fitsLarge(P, MiB));
  EXPECT_FALSE(Heap::fitsLarge(P, 4 * MiB));
  P[0] = 1;
  P[3 * MiB - 1] = 2;
  for (size_t Size : {5 * MiB, 200 * MiB, 4 * MiB}) {
    void *To = H->prepareLarge(Size);
    ASSERT_NE(To, nullptr);
    EXPECT_EQ(Visits(To), 0u);
    ASSERT_TRUE(H->moveLarge(P, To));
    EXPECT_EQ(Visits(P), 0u);
    EXPECT_EQ(Visits(To), 1u);
    P = static_cast<char *>(To);
    EXPECT_TRUE(Heap::fitsLarge(P, Size));
    EXPECT_EQ(P[0], 1);
    EXPECT_EQ(P[3 * MiB - 1], 2);
    P[Size - 1] = 3;
  }
  EXPECT_EQ(H->prepareLarge(size_t(1) << 60), nullptr);
  H->release(P, *Cache);
}

TEST(HeapTest, KeepsSomeLargeBlocksForTheNext) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  void *A = H->allocate(1 << 20, *Cache).Begin;
  H->release(A, *Cache);
  // It is not in the walk while nobody has it.
  H->visitBlocks([&](void *Block) { EXPECT_NE(Block, A); });
  Heap::Block B = H->allocate(900 << 10, *Cache);
  EXPECT_EQ(B.Begin, A);
  EXPECT_FALSE(B.Zeroed);
  H->release(A, *Cache);
  // Too small, and too large.
  EXPECT_NE(H->allocate(2 << 20, *Cache).Begin, A);
  EXPECT_NE(H->allocate(400 << 10, *Cache).Begin, A);
}

// One heap a test: ThreadSanitizer leaves addresses for no more.
TEST(HeapTest, KeepsMoreOfThemLikeGlibc) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  auto KeptAfter = [&](size_t MiB) {
    H->release(H->allocate(MiB << 20, *Cache).Begin, *Cache);
    return H->sizes().LargeBytes;
  };
  EXPECT_EQ(KeptAfter(16), 0u);
  H->keepLikeGlibc();
  EXPECT_GE(KeptAfter(16), size_t(16) << 20);
  EXPECT_LT(KeptAfter(40), size_t(40) << 20);
}

// Whatever is released in whatever order, blocks do not overlap and are walked.
TEST(HeapTest, LargeBlocksComeAndGo) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  std::mt19937 Random(3);
  std::vector<std::pair<unsigned *, size_t>> Live;
  for (unsigned I = 0; I != 5000; ++I) {
    if (Live.size() < 5 || (Live.size() < 60 && Random() % 2)) {
      size_t Size = (128 << 10) + 1 + Random() % (1 << (17 + Random() % 6));
      Heap::Block B = H->allocate(Size, *Cache);
      ASSERT_TRUE(B.Begin);
      auto *Words = static_cast<unsigned *>(B.Begin);
      size_t Last = Size / sizeof(unsigned) - 1;
      if (B.Zeroed) {
        ASSERT_EQ(Words[0] | Words[Last], 0u);
      }
      Words[0] = Words[Last] = I;
      Live.push_back({Words, Last});
    } else {
      std::swap(Live[Random() % Live.size()], Live.back());
      auto [Words, Last] = Live.back();
      ASSERT_EQ(Words[0], Words[Last]);
      H->release(Words, *Cache);
      Live.pop_back();
    }
  }
  size_t Visits = 0;
  H->visitBlocks([&](void *) { ++Visits; });
  EXPECT_EQ(Visits, Live.size());
}

TEST(HeapTest, EmptyGivesEveryFreeBlockToOthers) {
  auto H = std::make_unique<Heap>();
  auto Old = std::make_unique<HeapCache>(), New = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  std::set<void *> Freed;
  for (size_t Size = 64; Size <= sizeclass::MaxCached; Size += 500) {
    std::vector<void *> Blocks;
    for (int I = 0; I != 40; ++I)
      Blocks.push_back(H->allocate(Size, *Old).Begin);
    for (void *Block : Blocks) {
      H->release(Block, *Old);
      Freed.insert(Block);
    }
  }
  H->empty(*Old);
  for (size_t Size = 64; Size <= sizeclass::MaxCached; Size += 500)
    for (int I = 0; I != 40; ++I)
      Freed.erase(H->allocate(Size, *New).Begin);
  EXPECT_TRUE(Freed.empty());
}

TEST(HeapTest, WalksAllBlocksWhileThreadsWork) {
  auto H = std::make_unique<Heap>();
  ASSERT_TRUE(H->initialize());
  std::vector<std::thread> Threads;
  std::atomic<bool> Failed = false;
  for (unsigned T = 0; T != 3; ++T)
    Threads.emplace_back([&, T] {
      auto Cache = std::make_unique<HeapCache>();
      std::vector<unsigned char *> Mine;
      std::mt19937 Random(T);
      for (int I = 0; I != 20000; ++I) {
        if (Mine.size() < 100 || Random() % 2) {
          size_t Size = 64 + Random() % 3000;
          auto *Block =
              static_cast<unsigned char *>(H->allocate(Size, *Cache).Begin);
          memset(Block, T + 1, 64);
          Mine.push_back(Block);
        } else {
          std::swap(Mine[Random() % Mine.size()], Mine.back());
          for (int J = 0; J != 64; ++J)
            if (Mine.back()[J] != T + 1)
              Failed = true;
          H->release(Mine.back(), *Cache);
          Mine.pop_back();
        }
      }
      H->empty(*Cache);
    });
  size_t Visits = 0;
  for (int I = 0; I != 20; ++I)
    H->visitBlocks([&](void *) { ++Visits; });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_FALSE(Failed);
}

TEST(HeapTest, ASampleHasSomeOfManyBlocksAndAllLargeOnes) {
  auto H = std::make_unique<Heap>();
  auto Cache = std::make_unique<HeapCache>();
  ASSERT_TRUE(H->initialize());
  std::set<void *> Many, Few, Large;
  for (size_t I = 0; I != 5 * BlockSample::LeastLimit; ++I)
    Many.insert(H->allocate(64, *Cache).Begin);
  for (size_t I = 0; I != 100; ++I)
    Few.insert(H->allocate(1000, *Cache).Begin);
  for (size_t I = 0; I != 3; ++I)
    Large.insert(H->allocate(size_t(20) << 20, *Cache).Begin);
  BlockSample Sample;
  Sample.beginScan(/*Refines=*/false);
  size_t Fetched = 0, Visited = 0;
  double OfMany = 0;
  H->visitSample(
      Sample,
      [&](void *Block, SampleGroups Groups, bool IsCounted) {
        ++Visited;
        EXPECT_TRUE(IsCounted);
        EXPECT_EQ(Groups.Counted, Groups.Visited);
        if (Many.count(Block)) {
          EXPECT_GT(Groups.Counted, 0u);
          OfMany += 1 << Groups.Counted;
        } else if (Few.erase(Block)) {
          EXPECT_EQ(Groups.Counted, 0u);
        } else if (Large.erase(Block)) {
          EXPECT_GT(Groups.Counted, 0u);
        }
      },
      [&](uintptr_t) { ++Fetched; });
  EXPECT_EQ(Visited, Fetched + 3);
  EXPECT_LT(Visited, BlockSample::LeastLimit * 2);
  EXPECT_NEAR(OfMany / static_cast<double>(Many.size()), 1, 0.02);
  EXPECT_TRUE(Few.empty());
  EXPECT_TRUE(Large.empty());
}
