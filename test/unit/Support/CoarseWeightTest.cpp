//===- unit/Support/CoarseWeightTest.cpp --------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/CoarseWeight.h"
#include "gtest/gtest.h"

using namespace thermocline;

static uint64_t rounded(uint64_t Weight) {
  return CoarseWeight::of(Weight).value();
}

TEST(CoarseWeight, IsExactWhereFourBitsAre) {
  for (uint64_t Weight = 1; Weight <= 16; ++Weight)
    EXPECT_EQ(rounded(Weight), Weight);
  EXPECT_EQ(rounded(0), 1U);
}

TEST(CoarseWeight, IsASixteenthOffAtMostAndNeverTurnsRound) {
  CoarseWeight Before;
  for (uint64_t Weight = 1; Weight < 3'500'000'000; Weight += 1 + Weight / 97) {
    CoarseWeight Now = CoarseWeight::of(Weight);
    EXPECT_GE(Now, Before);
    Before = Now;
    uint64_t Near = Now.value();
    EXPECT_LE(Near > Weight ? Near - Weight : Weight - Near, Weight / 16 + 1);
  }
}

TEST(CoarseWeight, EndsWithItsByte) {
  EXPECT_EQ(CoarseWeight::of(UINT64_MAX).code(), 255);
  EXPECT_EQ(rounded(UINT64_MAX), uint64_t(14) << 28);
}

TEST(CoarseWeight, EveryByteComesBack) {
  EXPECT_FALSE(CoarseWeight().isKnown());
  EXPECT_FALSE(CoarseWeight::fromCode(0).isKnown());
  EXPECT_EQ(CoarseWeight().value(), 0U);
  for (unsigned Code = 25; Code != 256; ++Code) {
    auto Weight = CoarseWeight::fromCode(static_cast<uint8_t>(Code));
    EXPECT_EQ(CoarseWeight::of(Weight.value()).code(), Code);
  }
}
