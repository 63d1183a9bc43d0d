//===- unit/Support/SequenceHashTest.cpp ----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/SequenceHash.h"
#include "gtest/gtest.h"
#include <set>
#include <vector>

using namespace thermocline;

static uint64_t hash(std::vector<uint64_t> Row, uint64_t Seed = 0) {
  SequenceHash Hash(Seed);
  for (uint64_t Number : Row)
    Hash.add(Number);
  return Hash.value();
}

// Reports name contexts by these values, so they are not to change.
TEST(SequenceHash, IsTheSameInEveryRun) {
  static_assert(SequenceHash().value() == 0);
  EXPECT_EQ(hash({1}), 0x9E3779B9E17D05ACu);
  EXPECT_EQ(hash({1, 2, 3}), 0x973638D3CE0F3AD5u);
  EXPECT_EQ(hash({1}, 5), 0x78DDE6E585F416B1u);
}

TEST(SequenceHash, TellsRowsApart) {
  std::set<uint64_t> Seen;
  for (uint64_t A = 1; A != 40; ++A)
    for (uint64_t B = 1; B != 40; ++B)
      for (uint64_t C = 1; C != 40; ++C)
        EXPECT_TRUE(Seen.insert(hash({A, B, C})).second);
  EXPECT_NE(hash({1, 2}), hash({2, 1}));
  EXPECT_NE(hash({1, 2}), hash({1, 2}, 1));
  EXPECT_NE(hash({1}), hash({1, 0}));
}
