//===- unit/Runtime/Measure/ShadowTest.cpp - Access counters --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "measure/Shadow.h"
#include "gtest/gtest.h"
#include <sys/mman.h>

using namespace thermocline::runtime;

namespace {
class ShadowTest : public testing::Test {
protected:
  static void SetUpTestSuite() { ASSERT_TRUE(shadow::initialize()); }
  // An address of its own for each test; only its counters exist.
  static constexpr uintptr_t Base = uintptr_t(0x123456) << 20;
};
} // namespace

TEST_F(ShadowTest, CountsByGranule) {
  for (int I = 0; I != 64; ++I)
    shadow::recordAccess(Base + I);
  shadow::recordAccess(Base + 64);
  EXPECT_EQ(*shadow::counter(Base), 64u);
  EXPECT_EQ(shadow::count(Base, 64, false), 64u);
  EXPECT_EQ(shadow::count(Base, 65, false), 65u);
  EXPECT_EQ(shadow::count(Base + 63, 2, false), 65u);
  // LLVM's reading takes in the granule behind the end.
  EXPECT_EQ(shadow::count(Base, 64, true), 65u);
  shadow::clear(Base, 65, false);
  EXPECT_EQ(shadow::count(Base, 128, false), 0u);
}

TEST_F(ShadowTest, ARangeCountsOnceForEachEightBytes) {
  for (uintptr_t Offset : {0, 3, 32, 61})
    for (size_t Size : {0, 1, 7, 8, 9, 63, 64, 65, 1000}) {
      shadow::clear(Base, 4096, false);
      shadow::recordRange(Base + Offset, Size);
      EXPECT_EQ(shadow::count(Base, 4096, false), (Size + 7) / 8);
      // In the granules where each step of eight begins.
      uint64_t First = 0;
      for (size_t Step = 0; Step < Size; Step += 8)
        First += Offset + Step < 64;
      EXPECT_EQ(*shadow::counter(Base), First);
    }
}

// What a kernel with larger pages would take with a part of one.
TEST_F(ShadowTest, GivesBackWholePagesOfTheKernelOnly) {
  for (size_t Kernel : {LeastPageBytes, size_t(16) << 10, MostPageBytes}) {
    ThePageBytes = Kernel;
    const size_t PageSteps = Kernel / LeastPageBytes;
    // From the third of the smaller pages on, to the one before the last third.
    constexpr size_t Covered = LeastPageBytes << shadow::Scale;
    const uintptr_t Begin = Base + 2 * Covered;
    const size_t NumPages = 5 * PageSteps + 30;
    shadow::clear(Base, (NumPages + 4) * Covered, false);
    for (size_t I = 0; I != NumPages + 4; ++I)
      shadow::recordAccess(Base + I * Covered);
    shadow::clear(Begin, NumPages * Covered, false);
    size_t Resident = 0;
    for (size_t I = 0; I != NumPages; ++I) {
      unsigned char IsThere = 0;
      ASSERT_EQ(mincore(shadow::counter(Begin + I * Covered), LeastPageBytes,
                        &IsThere),
                0);
      const auto Counter =
          reinterpret_cast<uintptr_t>(shadow::counter(Begin + I * Covered));
      const auto First = reinterpret_cast<uintptr_t>(shadow::counter(Begin));
      const uintptr_t PageOf = roundDown(Counter, Kernel);
      const bool IsWhole = PageOf >= First &&
                           PageOf + Kernel <= First + NumPages * LeastPageBytes;
      EXPECT_EQ(IsThere & 1, IsWhole ? 0 : 1) << Kernel << " " << I;
      Resident += IsThere & 1;
    }
    EXPECT_EQ(Resident == 0, Kernel == LeastPageBytes);
    for (size_t I : {size_t(0), size_t(1), NumPages + 2, NumPages + 3})
      EXPECT_EQ(*shadow::counter(Base + I * Covered), 1u) << Kernel << " " << I;
    for (size_t I = 0; I != NumPages; ++I)
      EXPECT_EQ(*shadow::counter(Begin + I * Covered), 0u);
  }
  ThePageBytes = LeastPageBytes;
}

TEST_F(ShadowTest, ClearsExactlyTheAllocation) {
  for (size_t Size : {1, 8, 64, 100, 4096, 1 << 20, 10 << 20}) {
    uintptr_t Begin = Base + 4096 + 32;
    shadow::clear(Base, (32 << 20), false);
    shadow::recordAccess(Begin - 64);
    shadow::recordAccess(Begin);
    shadow::recordAccess(Begin + Size - 1);
    shadow::recordAccess(Begin + Size - 1 + 64);
    EXPECT_EQ(shadow::count(Begin, Size, false), 2u);
    shadow::clear(Begin, Size, false);
    EXPECT_EQ(shadow::count(Begin, Size, false), 0u);
    EXPECT_EQ(*shadow::counter(Begin - 64), 1u);
    EXPECT_EQ(*shadow::counter(Begin + Size - 1 + 64), 1u);
  }
}
