//===- unit/Alloc/OrderTest.cpp - Objects in holes of chunks --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "order/Chunk.h"
#include "order/ChunkPool.h"
#include "order/Place.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <sys/mman.h>

using namespace thermocline::alloc;

namespace {

/// The addresses of a segment, of which only the books are used.
class OrderTest : public testing::Test {
protected:
  OrderTest() {
    Mapped = mmap(nullptr, 2 * SegmentBytes, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const uintptr_t Start = reinterpret_cast<uintptr_t>(Mapped);
    C = Chunk::of(reinterpret_cast<void *>((Start + SegmentBytes - 1) &
                                           ~(SegmentBytes - 1))) +
        BookChunks;
    C->changeState(Chunk::Unused, Chunk::Owned);
  }
  ~OrderTest() override { munmap(Mapped, 2 * SegmentBytes); }

  static size_t granules(void *Object) {
    return Chunk::of(Object)->objectGranules(Chunk::granuleOf(Object));
  }
  static bool release(void *Object) {
    const size_t First = Chunk::granuleOf(Object);
    const size_t Granules = granules(Object);
    Chunk::of(Object)->addHoles(First / 64, uint64_t(1) << First % 64);
    return Chunk::of(Object)->subtract(Granules);
  }
  /// Becomes the owner of a chunk that the pool would have listed.
  void own() { C->changeState(Chunk::Full, Chunk::Owned); }

  void *Mapped;
  Chunk *C;
  Place P;
};

TEST_F(OrderTest, ObjectsLieOneBehindTheOther) {
  P.openEmpty(C);
  EXPECT_EQ(P.restGranules(), ChunkGranules);
  char *Next = C->start();
  size_t Total = 0;
  for (size_t Granules = 1; P.fits(Granules);
       Total += Granules, Granules = Granules % MostGranules + 1) {
    void *Made = P.make(Granules);
    ASSERT_EQ(Made, Next);
    ASSERT_EQ(Chunk::of(Made), C);
    ASSERT_EQ(granules(Made), Granules);
    Next += Granules * GranuleBytes;
  }
  EXPECT_EQ(P.madeGranules(), Total);
  EXPECT_EQ(P.restGranules(), ChunkGranules - Total);
  // Nothing is free but the rest, for which the next object was too long.
  EXPECT_FALSE(P.enterNextHole());
  EXPECT_EQ(P.close(), nullptr);
  EXPECT_EQ(C->state(), Chunk::Full);
  EXPECT_EQ(C->liveGranules(), static_cast<int64_t>(Total));
}

TEST_F(OrderTest, TheLastObjectEndsWithTheChunk) {
  P.openEmpty(C);
  void *Last = nullptr;
  while (P.fits(MostGranules))
    Last = P.make(MostGranules);
  EXPECT_EQ(P.restGranules(), 0u);
  EXPECT_EQ(granules(Last), MostGranules);
  EXPECT_EQ(granules(C->start()), MostGranules);
}

TEST_F(OrderTest, NeighbouringHolesAreJoined) {
  P.openEmpty(C);
  void *Made[8];
  for (void *&Object : Made)
    Object = P.make(10);
  while (P.fits(MostGranules))
    P.make(MostGranules);
  P.close();
  // In another order than they lie in; the first object is free, too.
  for (int I : {3, 1, 2, 0, 6})
    release(Made[I]);
  own();
  P.openUsed(C);
  ASSERT_TRUE(P.enterNextHole());
  EXPECT_EQ(P.restGranules(), 40u);
  EXPECT_EQ(P.make(39), Made[0]);
  EXPECT_EQ(granules(Made[0]), 39u);
  EXPECT_EQ(granules(Made[4]), 10u);
  ASSERT_TRUE(P.enterNextHole());
  EXPECT_EQ(P.make(10), Made[6]);
  EXPECT_EQ(granules(Made[5]), 10u);
  EXPECT_EQ(granules(Made[6]), 10u);
  // The rest at the end was left before.
  ASSERT_TRUE(P.enterNextHole());
  EXPECT_EQ(P.restGranules(), ChunkGranules - 80 - 30 * MostGranules);
  EXPECT_FALSE(P.enterNextHole());
  P.close();
}

TEST_F(OrderTest, OnlyTheLastObjectGrows) {
  P.openEmpty(C);
  void *First = P.make(3), *Second = P.make(5);
  EXPECT_FALSE(P.extend(First, 3, 4));
  EXPECT_TRUE(P.extend(Second, 5, 60));
  EXPECT_EQ(granules(First), 3u);
  EXPECT_EQ(granules(Second), 60u);
  void *Last = P.make(1);
  EXPECT_EQ(Last, static_cast<char *>(Second) + 60 * GranuleBytes);
  while (P.fits(2))
    Last = P.make(2);
  EXPECT_TRUE(P.restGranules() != 0 || !P.extend(Last, 2, 3));
  P.close();
  EXPECT_FALSE(P.extend(Second, 60, 61));
}

TEST_F(OrderTest, AChunkIsSettledOnceWhenAQuarterIsFree) {
  P.openEmpty(C);
  std::vector<void *> Made;
  while (P.fits(16))
    Made.push_back(P.make(16));
  ASSERT_EQ(Made.size(), 128u);
  // What is freed while a thread fills the chunk settles nothing.
  EXPECT_FALSE(release(Made[0]));
  P.close();
  std::vector<size_t> Settled;
  for (size_t I = 1; I != Made.size(); ++I)
    if (release(Made[I]))
      Settled.push_back(I + 1);
  EXPECT_EQ(Settled, (std::vector<size_t>{32, 128}));
  EXPECT_EQ(C->liveGranules(), 0);
}

TEST_F(OrderTest, HolesThatWerePassedAreNotWorthAnotherTry) {
  P.openEmpty(C);
  std::vector<void *> Made;
  while (P.fits(8))
    Made.push_back(P.make(8));
  P.close();
  for (size_t I = 0; I < Made.size(); I += 2)
    release(Made[I]);
  own();
  P.openUsed(C);
  while (P.enterNextHole())
    EXPECT_EQ(P.restGranules(), 8u);
  // Half of the chunk is free, in holes that all were too short.
  EXPECT_EQ(P.close(), nullptr);
  EXPECT_FALSE(C->isWorthListing());
  size_t Freed = 0;
  for (size_t I = 1; !release(Made[I]); I += 2)
    Freed += 8;
  EXPECT_EQ(Freed + 8, Place::WorthGranules);
  EXPECT_TRUE(C->isWorthListing());
}

TEST_F(OrderTest, EmptyChunksAreSettledWhenTheyAreLeft) {
  P.openEmpty(C);
  release(P.make(7));
  EXPECT_EQ(P.close(), C);
  EXPECT_EQ(C->liveGranules(), 0);
}

/// Makes and frees at random, and compares with a map of what lives.
TEST_F(OrderTest, NothingOverlapsAtRandom) {
  for (unsigned Seed = 0; Seed != 20; ++Seed) {
    std::mt19937 Random(Seed);
    std::map<char *, size_t> Live;
    size_t LiveGranules = 0;
    auto make = [&](size_t Granules) {
      char *Made = static_cast<char *>(P.make(Granules));
      auto [It, IsNew] = Live.emplace(Made, Granules);
      ASSERT_TRUE(IsNew);
      if (It != Live.begin())
        ASSERT_LE(std::prev(It)->first + std::prev(It)->second * GranuleBytes,
                  Made);
      if (std::next(It) != Live.end())
        ASSERT_LE(Made + Granules * GranuleBytes, std::next(It)->first);
      ASSERT_GE(Made, C->start());
      ASSERT_LE(Made + Granules * GranuleBytes, C->start() + ChunkBytes);
      LiveGranules += Granules;
    };
    auto freeSome = [&](unsigned OneOf) {
      for (auto It = Live.begin(); It != Live.end();) {
        if (Random() % OneOf != 0) {
          ++It;
          continue;
        }
        ASSERT_EQ(granules(It->first), It->second);
        LiveGranules -= It->second;
        release(It->first);
        It = Live.erase(It);
      }
    };
    P.openEmpty(C);
    for (unsigned Round = 0; Round != 30; ++Round) {
      do {
        for (size_t Granules; P.fits(Granules = 1 + Random() % 64);)
          ASSERT_NO_FATAL_FAILURE(make(Granules));
        if (Random() % 4 == 0)
          ASSERT_NO_FATAL_FAILURE(freeSome(20));
      } while (P.enterNextHole());
      P.close();
      ASSERT_EQ(C->liveGranules(), static_cast<int64_t>(LiveGranules));
      ASSERT_NO_FATAL_FAILURE(freeSome(1 + Random() % 4));
      ASSERT_EQ(C->liveGranules(), static_cast<int64_t>(LiveGranules));
      own();
      P.openUsed(C);
      P.enterNextHole();
    }
    P.close();
    ASSERT_NO_FATAL_FAILURE(freeSome(1));
    ASSERT_EQ(C->liveGranules(), 0);
    own();
  }
}

TEST(ChunkList, KeepsTheOrder) {
  Chunk Chunks[3] = {};
  ChunkList List;
  EXPECT_EQ(List.oldest(), nullptr);
  for (Chunk &C : Chunks)
    List.add(&C);
  EXPECT_EQ(List.oldest(), &Chunks[0]);
  EXPECT_EQ(List.newest(), &Chunks[2]);
  List.remove(&Chunks[1]);
  List.remove(&Chunks[2]);
  EXPECT_EQ(List.newest(), &Chunks[0]);
  List.remove(&Chunks[0]);
  EXPECT_EQ(List.oldest(), nullptr);
  EXPECT_EQ(List.newest(), nullptr);
}

} // namespace
