//===- unit/Support/NamedAllocatorTest.cpp --------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/NamedAllocator.h"
#include "gtest/gtest.h"

using namespace thermocline;

namespace {

TEST(NamedAllocator, SeveralAreSeparatedByCommas) {
  std::vector<NamedAllocator> Named;
  EXPECT_EQ(parseNamedAllocators("a:b,_Z1cm:_Z1dm", Named), "");
  EXPECT_EQ(parseNamedAllocators("a:b", Named), "");
  ASSERT_EQ(Named.size(), 2u);
  EXPECT_EQ(Named[1].Name, "_Z1cm");
  EXPECT_EQ(Named[1].ColdName, "_Z1dm");
}

TEST(NamedAllocator, WhatIsNoPairIsAnError) {
  for (const char *Text : {"", "a", ":b", "a:", "a:b:c", "a b:c", "a:b,"}) {
    std::vector<NamedAllocator> Named;
    EXPECT_NE(parseNamedAllocators(Text, Named), "") << Text;
  }
}

TEST(NamedAllocator, OneFunctionHasOneVariantAndNotItself) {
  std::vector<NamedAllocator> Named;
  EXPECT_NE(parseNamedAllocators("a:a", Named), "");
  EXPECT_NE(parseNamedAllocators("a:b,a:c", Named), "");
}

} // namespace
