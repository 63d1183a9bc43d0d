//===- unit/Support/UnitsTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/Ids.h"
#include "thermocline/Support/Units.h"
#include "gtest/gtest.h"

using namespace thermocline;

TEST(Units, CountsAreGroupedByThousands) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(999), "999");
  EXPECT_EQ(formatCount(1000), "1,000");
  EXPECT_EQ(formatCount(UINT64_MAX), "18,446,744,073,709,551,615");
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

TEST(Ids, NoneIsNeitherZeroNorAnyIndex) {
  using TestId = Id<struct TestTag, uint32_t>;
  EXPECT_TRUE(TestId().isNone());
  EXPECT_FALSE(TestId(0).isNone());
  EXPECT_EQ(TestId(7).index(), 7u);
  EXPECT_LT(TestId(7), TestId(8));
}
