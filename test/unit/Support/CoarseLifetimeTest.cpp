//===- unit/Support/CoarseLifetimeTest.cpp --------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/CoarseLifetime.h"
#include "gtest/gtest.h"

using namespace thermocline;

static uint64_t rounded(uint64_t Lifetime) {
  return CoarseLifetime::of(Milliseconds(Lifetime)).mean().count();
}

TEST(CoarseLifetime, IsExactWhereFourBitsAre) {
  for (uint64_t Lifetime = 1; Lifetime <= 16; ++Lifetime)
    EXPECT_EQ(rounded(Lifetime), Lifetime);
  EXPECT_EQ(rounded(0), 1U);
}

TEST(CoarseLifetime, IsASixteenthOffAtMostAndNeverTurnsRound) {
  CoarseLifetime Before;
  for (uint64_t Lifetime = 1; Lifetime < 3'500'000'000;
       Lifetime += 1 + Lifetime / 97) {
    CoarseLifetime Now = CoarseLifetime::of(Milliseconds(Lifetime));
    EXPECT_GE(Now, Before);
    Before = Now;
    uint64_t Mean = Now.mean().count();
    EXPECT_LE(Mean > Lifetime ? Mean - Lifetime : Lifetime - Mean,
              Lifetime / 16 + 1);
  }
}

TEST(CoarseLifetime, EndsWithItsByte) {
  EXPECT_EQ(CoarseLifetime::of(Milliseconds(UINT64_MAX)).code(), 255);
  EXPECT_EQ(rounded(UINT64_MAX), uint64_t(14) << 28);
}

TEST(CoarseLifetime, EveryByteComesBack) {
  EXPECT_FALSE(CoarseLifetime().isKnown());
  EXPECT_FALSE(CoarseLifetime::fromCode(0).isKnown());
  EXPECT_EQ(CoarseLifetime().mean().count(), 0U);
  for (unsigned Code = 25; Code != 256; ++Code) {
    auto Lifetime = CoarseLifetime::fromCode(static_cast<uint8_t>(Code));
    EXPECT_EQ(CoarseLifetime::of(Lifetime.mean()).code(), Code);
  }
}
