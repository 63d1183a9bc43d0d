//===- unit/Runtime/Heap/SizeClassesTest.cpp - Sizes of blocks ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "heap/SizeClasses.h"
#include "gtest/gtest.h"

using namespace thermocline::runtime;

TEST(SizeClassesTest, EverySizeFitsItsClassAndNoSmallerOne) {
  for (size_t Size = 1; Size <= sizeclass::Max; ++Size) {
    unsigned Class = sizeclass::classOf(Size);
    ASSERT_LT(Class, sizeclass::Count);
    ASSERT_GE(sizeclass::blockBytes(Class), Size);
    if (Class)
      ASSERT_LT(sizeclass::blockBytes(Class - 1), Size);
  }
}

TEST(SizeClassesTest, KeepsGranulesApart) {
  for (unsigned Class = 0; Class != sizeclass::Count; ++Class) {
    size_t Size = sizeclass::blockBytes(Class);
    EXPECT_EQ(Size % 32, 0u);
    if (Size > sizeclass::SmallMax)
      EXPECT_EQ(Size % 64, 0u);
  }
}
