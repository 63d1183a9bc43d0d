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

TEST(RustNames, AsPeopleReadThem) {
  EXPECT_EQ(demangled("_ZN9catalogue4keep17h0123456789abcdefE"),
            "catalogue::keep");
  EXPECT_EQ(demangled("_ZN5alloc7raw_vec19RawVec$LT$T$C$A$GT$"
                      "8grow_one17h0123456789abcdefE"),
            "alloc::raw_vec::RawVec<T,A>::grow_one");
  EXPECT_EQ(demangled("_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$"
                      "4into17h0123456789abcdefE"),
            "<T as core::convert::Into<U>>::into");
  EXPECT_EQ(demangled("_ZN9catalogue4load28_$u7b$$u7b$closure$u7d$$u7d$"
                      "17h0123456789abcdefE"),
            "catalogue::load::{{closure}}");
  EXPECT_EQ(demangled("_RNvC1a4keep"), "a::keep");
  // What is not escaped stays, and C++ is C++.
  EXPECT_EQ(demangled("_ZN1a6b$XX$c17h0123456789abcdefE"), "a::b$XX$c");
  EXPECT_EQ(demangled("_ZN1a1b17h0123456789abcdegE"),
            "a::b::h0123456789abcdeg");
  EXPECT_EQ(demangled("_ZN1a1bEv"), "a::b()");
  EXPECT_EQ(demangled("main"), "main");
}

} // namespace
