//===- unit/Support/UnitsTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Units.h"
#include "thermocline/Support/Ids.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace thermocline;

TEST(Units, CountsAreGroupedByThousands) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(UINT64_MAX), "18,446,744,073,709,551,615");
}

TEST(Units, IdsAreHexadecimalInLowerCase) {
  EXPECT_EQ(hexText(0), "0x0");
  EXPECT_EQ(hexText(0x1F), "0x1f");
  EXPECT_EQ(hexText(UINT64_MAX), "0xffffffffffffffff");
}

TEST(Units, BytesTakeTheLargestUnitThatFits) {
  EXPECT_EQ(formatBytes(Bytes(1023)), "1023 B");
  EXPECT_EQ(formatBytes(Bytes(1536)), "1.5 KiB");
  EXPECT_EQ(formatBytes(Bytes(35) + Bytes((35 << 20) - 35)), "35.0 MiB");
}

TEST(Units, PercentOfNothingIsADash) {
  EXPECT_EQ(formatPercent(1, 0), "-");
  EXPECT_EQ(formatPercent(1, 8), "12.5 %");
}

TEST(Units, SizesAreReadWithTheirUnits) {
  EXPECT_EQ(parseBytes("0"), Bytes(0));
  EXPECT_EQ(parseBytes("4096"), Bytes(4096));
  EXPECT_EQ(parseBytes("12b"), Bytes(12));
  EXPECT_EQ(parseBytes("64KiB"), Bytes(64 << 10));
  EXPECT_EQ(parseBytes("64k"), Bytes(64 << 10));
  EXPECT_EQ(parseBytes("1.5MiB"), Bytes(3 << 19));
  EXPECT_EQ(parseBytes("2G"), Bytes(2ull << 30));
  EXPECT_EQ(parseBytes("18446744073709551615"), Bytes(UINT64_MAX));
  EXPECT_EQ(parseBytes("17179869183GiB"), Bytes(17179869183ull << 30));
}

TEST(Units, WhatIsNoSizeIsRefused) {
  for (const char *Text :
       {"", "k", "-1", "+1", "1e3", "0x10", "1.5", "1.5b", ".5k", "1..5k",
        "12 k", "5kb", "5%", "1T", "18446744073709551616", "17179869184GiB",
        "99999999999999999999.5k", "inf", "nan"})
    EXPECT_EQ(parseBytes(Text), std::nullopt) << Text;
}

TEST(Units, NumbersThatDoNotFitAreCut) {
  EXPECT_EQ(truncated(0), 0u);
  EXPECT_EQ(truncated(0.99), 0u);
  EXPECT_EQ(truncated(7.99), 7u);
  EXPECT_EQ(truncated(0x1p63), uint64_t(1) << 63);
  EXPECT_EQ(truncated(0x1p64), UINT64_MAX);
  EXPECT_EQ(truncated(HUGE_VAL), UINT64_MAX);
  EXPECT_EQ(truncated(-1), 0u);
  EXPECT_EQ(truncated(-HUGE_VAL), 0u);
  EXPECT_EQ(truncated(std::nan("")), 0u);
}

TEST(Units, DecimalsHaveNoSignExponentOrUnit) {
  EXPECT_EQ(parseDecimal("5"), 5.0);
  EXPECT_EQ(parseDecimal("0.25"), 0.25);
  EXPECT_EQ(parseDecimal("100."), 100.0);
  for (const char *Text : {"", ".5", "-1", "+1", "1e3", "0x1", "5%", "5 ",
                           "1.2.3", "1,5", "inf", "nan"})
    EXPECT_EQ(parseDecimal(Text), std::nullopt) << Text;
}

TEST(Ids, NoneIsNeitherZeroNorAnyIndex) {
  using TestId = Id<struct TestTag, uint32_t>;
  EXPECT_TRUE(TestId().isNone());
  EXPECT_FALSE(TestId(0).isNone());
  EXPECT_EQ(TestId(7).index(), 7u);
  EXPECT_LT(TestId(7), TestId(8));
}
