//===- unit/Support/RustNamesTest.cpp -------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Support/RustNames.h"
#include "gtest/gtest.h"

using namespace thermocline;

namespace {

TEST(RustNames, PlainAndMangled) {
  EXPECT_TRUE(isRustAllocator("__rust_alloc"));
  EXPECT_TRUE(isRustAllocator("__rust_alloc_zeroed"));
  EXPECT_TRUE(isRustAllocator("__rust_realloc"));
  EXPECT_TRUE(isRustAllocator("_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc"));
  EXPECT_TRUE(isRustAllocator("_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc"));
  EXPECT_TRUE(
      isRustDefaultAllocator("_RNvCsfLfy6EI15iL_7___rustc11___rdl_alloc"));
  EXPECT_EQ(rustcName("_RNvCs1_7___rustc19___rust_alloc_zeroed"),
            "__rust_alloc_zeroed");
}

TEST(RustNames, Others) {
  EXPECT_FALSE(isRustAllocator("__rust_dealloc"));
  EXPECT_FALSE(isRustAllocator("__rust_alloc_cold"));
  EXPECT_FALSE(isRustAllocator("rust_alloc"));
  EXPECT_FALSE(isRustDefaultAllocator("__rg_alloc"));
  // Another crate's function, a length that does not fit, and none.
  EXPECT_FALSE(isRustAllocator("_RNvCs1_4main12___rust_alloc"));
  EXPECT_FALSE(isRustAllocator("_RNvCs1_7___rustc11___rust_alloc"));
  EXPECT_FALSE(isRustAllocator("_RNvCs1_7___rustc___rust_alloc"));
  EXPECT_FALSE(isRustAllocator("_RNvCs1_7___rustc"));
  EXPECT_EQ(rustcName("main"), "main");
}

TEST(RustNames, ColdVariants) {
  EXPECT_TRUE(isRustColdVariant("__rust_alloc_cold"));
  EXPECT_TRUE(isRustColdVariant("__rust_realloc_cold"));
  EXPECT_FALSE(isRustColdVariant("__rust_alloc"));
  EXPECT_FALSE(isRustColdVariant("malloc_cold"));
}

TEST(RustNames, OfOneCompiler) {
  EXPECT_EQ(rustOwnAllocator("__rust_alloc"), "__rg_alloc");
  EXPECT_EQ(
      rustOwnAllocator("_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed"),
      "_RNvCsfLfy6EI15iL_7___rustc10___rg_alloc");
}

} // namespace
