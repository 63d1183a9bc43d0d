//===- unit/Alloc/PlacesTest.cpp - Places by how many addresses there are -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/ColdRange.h"
#include <gtest/gtest.h>

using namespace thermocline::alloc;

TEST(PlacesTest, FollowTheBitsOfTheKernel) {
  // Stacks begin at random, up to 1 GiB below the end, on AMD64 up to 16 GiB.
  constexpr uintptr_t GiB = uintptr_t(1) << 30;
  for (unsigned Bits : {39u, 42u, 47u})
    for (uintptr_t Below : {uintptr_t(1), GiB})
      EXPECT_EQ(placeBits((uintptr_t(1) << Bits) - Below), Bits);
  EXPECT_EQ(placeBits((uintptr_t(1) << 47) - 16 * GiB), 47u);
  EXPECT_EQ(placeBits((uintptr_t(1) << 48) - 1), 47u);
  EXPECT_EQ(placeBits(0), 47u);
}

TEST(PlacesTest, LieInTheSamePartOfAllAddresses) {
  for (unsigned Bits : {39u, 42u, 47u}) {
    const uintptr_t Eighth = uintptr_t(1) << (Bits - 3);
    EXPECT_EQ(quietPlaceFor(Bits, 0, 0), Eighth);
    EXPECT_EQ(quietPlaceFor(Bits, 0, Eighth - 1), 2 * Eighth - 1);
    EXPECT_EQ(quietPlaceFor(Bits, 0, Eighth), Eighth);
    // Behind what is taken, there is room for other objects of ours.
    EXPECT_EQ(quietPlaceFor(Bits, Eighth / 2, 0), Eighth);
    EXPECT_EQ(quietPlaceFor(Bits, Eighth, 5), Eighth + Eighth / 8 + 5);
  }
}
