//===- unit/Runtime/Heap/OrderSpaceTest.cpp - Places in order -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/OrderSpace.h"
#include "gtest/gtest.h"
#include <memory>
#include <vector>

using namespace thermocline;
using namespace thermocline::runtime;

namespace {

struct OrderSpaceTest : testing::Test {
  OrderSpaceTest() { EXPECT_TRUE(Space.start()); }

  /// Makes an object, which is its own block.
  OrderPlace make(unsigned Granules, uint32_t Context = 1) {
    const OrderPlace Result = Space.take(Cursor, Granules);
    Space.note(Result, reinterpret_cast<void *>(++NextBlock * 64), Context,
               Granules);
    return Result;
  }
  const TrackedChunk &chunkOf(OrderPlace Place) {
    return Space.tracked(Place.slot() - 1);
  }
  unsigned numTracked() const {
    unsigned Result = 0;
    for (unsigned I = 0; I != OrderSpace::MaxTracked; ++I)
      Result += Space.tracked(I).isInUse();
    return Result;
  }

  OrderSpace Space;
  std::unique_ptr<OrderCursor> Owned = std::make_unique<OrderCursor>();
  OrderCursor &Cursor = *Owned;
  uintptr_t NextBlock = 0;
};

TEST_F(OrderSpaceTest, PutsObjectsSideBySideWhateverTheirSizes) {
  EXPECT_EQ(make(3).granule(), 0u);
  EXPECT_EQ(make(1).granule(), 3u);
  EXPECT_EQ(make(64).granule(), 4u);
  EXPECT_EQ(make(2).granule(), 68u);
  EXPECT_EQ(numTracked(), 1u);
}

TEST_F(OrderSpaceTest, KnowsWhatLiesInTrackedChunks) {
  make(3);
  const OrderPlace Second = make(5, /*Context=*/7);
  const TrackedChunk &Chunk = chunkOf(Second);
  ASSERT_TRUE(Chunk.has(Second));
  const TrackedChunk::Object Is = Chunk.at(Second.granule());
  EXPECT_EQ(Is.Block, reinterpret_cast<void *>(2 * 64));
  EXPECT_EQ(Is.Granules, 5u);
  EXPECT_EQ(Is.Context, 7u);
  EXPECT_EQ(Chunk.at(1).Block, nullptr);
}

TEST_F(OrderSpaceTest, GivesOutFreedPlacesFirstTheLastOneFirst) {
  const OrderPlace A = make(4), B = make(4), C = make(3);
  Space.giveBack(Cursor, A, 4);
  Space.giveBack(Cursor, B, 4);
  EXPECT_EQ(make(3).granule(), C.granule() + 3);
  EXPECT_EQ(make(4), B);
  EXPECT_EQ(make(4), A);
  EXPECT_EQ(make(4).granule(), C.granule() + 6);
}

TEST_F(OrderSpaceTest, ForgetsTheOldestOfManyFreedPlaces) {
  std::vector<OrderPlace> Made;
  for (int I = 0; I != 20; ++I)
    Made.push_back(make(2));
  for (OrderPlace P : Made)
    Space.giveBack(Cursor, P, 2);
  for (int I = 0; I != 16; ++I)
    EXPECT_EQ(make(2), Made[19 - I]);
  EXPECT_EQ(make(2).granule(), 40u);
}

TEST_F(OrderSpaceTest, KeepsObjectsWithinChunks) {
  OrderPlace Last;
  unsigned Behind = 0, Chunks = 0;
  for (int I = 0; I != 100; ++I) {
    Last = make(63);
    Chunks += Last.granule() == 0;
    EXPECT_TRUE(Last.granule() == 0 || Last.granule() == Behind);
    EXPECT_LE(Last.granule() + 63, format::OrderChunkGranules);
    Behind = Last.granule() + 63;
  }
  EXPECT_EQ(Chunks, 4u);
}

TEST_F(OrderSpaceTest, EndsToTrackFullChunksInWhichNothingLives) {
  std::vector<OrderPlace> Made;
  while (Made.empty() || Made.back().slot() == Made.front().slot())
    Made.push_back(make(64));
  EXPECT_EQ(numTracked(), 2u);
  const OrderPlace Next = Made.back();
  Made.pop_back();
  std::vector<OrderPlace> Others;
  for (unsigned I = 0; I != 16; ++I)
    Others.push_back(make(64));
  for (OrderPlace P : Made)
    Space.giveBack(Cursor, P, 64);
  // The last places are in a list, until others take their place there.
  for (OrderPlace P : Others) {
    EXPECT_EQ(numTracked(), 2u);
    Space.giveBack(Cursor, P, 64);
  }
  EXPECT_EQ(numTracked(), 1u);
  EXPECT_FALSE(chunkOf(Made.front()).has(Made.front()));
  EXPECT_TRUE(chunkOf(Next).has(Next));
}

TEST_F(OrderSpaceTest, TracksFewerOfMoreChunks) {
  for (unsigned Chunks : {60, 240, 960}) {
    for (unsigned I = 0; I != Chunks; ++I)
      for (int J = 0; J != 31; ++J)
        make(64);
    EXPECT_LE(numTracked(), OrderSpace::MaxTracked);
    EXPECT_GE(numTracked(), OrderSpace::MaxTracked / 4);
  }
}

} // namespace
