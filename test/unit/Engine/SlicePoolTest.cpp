//===- unit/Engine/SlicePoolTest.cpp --------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Split/SlicePool.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace llvm;
using namespace thermocline::context;

static std::vector<uint32_t> counting(uint32_t First, size_t Size) {
  std::vector<uint32_t> Result(Size);
  std::iota(Result.begin(), Result.end(), First);
  return Result;
}

TEST(SlicePool, OneElementIsKeptInTheSlice) {
  std::vector<uint32_t> One = {7};
  Slice<uint32_t> S{ArrayRef(One)};
  One[0] = 8;
  EXPECT_EQ(S.elements(1), ArrayRef<uint32_t>({7}));
  EXPECT_TRUE(Slice<uint32_t>().elements(0).empty());
}

TEST(SlicePool, SequencesStayWhereTheyAre) {
  SlicePool<uint32_t> Pool;
  std::vector<ArrayRef<uint32_t>> Kept;
  // Some fill the rest of a chunk, some are larger than any.
  const size_t Sizes[] = {3, 16000, 381, 1, 100000, 2, 16384, 5};
  for (size_t Size : Sizes)
    Kept.push_back(Pool.push(counting(Size, Size)));
  for (auto [Size, Elements] : zip_equal(Sizes, Kept))
    EXPECT_EQ(Elements, ArrayRef(counting(Size, Size)));
}

// As merging does it: what is undone gives its memory back, and what was there
// before is not touched by what comes after.
TEST(SlicePool, WhatIsDroppedIsUsedAgain) {
  SlicePool<uint32_t> Pool;
  ArrayRef<uint32_t> Kept = Pool.push(counting(1, 10000));
  auto Mark = Pool.mark();
  const uint32_t *Begin = Pool.push(counting(2, 5000)).data();
  for (unsigned Round = 0; Round != 3; ++Round) {
    Pool.dropTo(Mark);
    EXPECT_EQ(Pool.push(counting(3 + Round, 5000)).data(), Begin);
    ArrayRef<uint32_t> Next = Pool.push(counting(9, 12000 + 3000 * Round));
    EXPECT_EQ(Next, ArrayRef(counting(9, 12000 + 3000 * Round)));
    EXPECT_EQ(Kept, ArrayRef(counting(1, 10000)));
  }
}

TEST(SlicePool, AMarkAtTheEndOfAChunkHolds) {
  SlicePool<uint32_t> Pool;
  ArrayRef<uint32_t> Full = Pool.push(counting(1, 16384));
  auto Mark = Pool.mark();
  (void)Pool.push(counting(2, 2));
  (void)Pool.push(counting(3, 200000));
  Pool.dropTo(Mark);
  ArrayRef<uint32_t> Large = Pool.push(counting(4, 200000));
  EXPECT_EQ(Full, ArrayRef(counting(1, 16384)));
  EXPECT_EQ(Large, ArrayRef(counting(4, 200000)));
}
