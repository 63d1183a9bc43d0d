//===- unit/Annotate/BasisTest.cpp ----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/Basis.h"
#include "gtest/gtest.h"
#include <cmath>
#include <vector>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using placement::Horizon;
using profile::ColdRule;
using profile::ColdThresholds;

namespace {

/// What a MIB names that tells \p Words.
std::vector<ContextTotalSize> namedWith(ArrayRef<uint64_t> Words) {
  std::vector<ContextTotalSize> Result = {{1234, 5}};
  for (uint64_t Word : Words)
    Result.push_back({Word, 0});
  ContextMark Mark;
  Mark.Weight = CoarseWeight::of(77);
  Mark.NumBasisWords = static_cast<uint8_t>(Words.size());
  Result.push_back(Mark.encode());
  return Result;
}

} // namespace

TEST(Basis, DefaultsTakeOneWord) {
  Basis Default{ColdRule::Relative, {.ByTotals = true}, 0xABCDEF012345};
  EXPECT_EQ(Default.encode().size(), 1U);
  EXPECT_EQ(Basis::in(namedWith(Default.encode())), Default);
}

TEST(Basis, EveryThresholdComesOutAsItWentIn) {
  std::vector<Basis> All = {
      {ColdRule::RelativeApproximate,
       {.MinLifetimeFraction = 0, .ByTotals = true},
       1},
      {ColdRule::Relative, {.AccessesPerByte = 1e18, .ByTotals = true}, 2},
      {ColdRule::Relative,
       {.AccessesPerBytePerSecond = 0.1, .ByTotals = true},
       3},
      {ColdRule::LLVM, {.LLVMAccessDensity = 20, .ByTotals = true}, 4},
      {ColdRule::LLVM, {.LLVMLifetimeSeconds = 0, .ByTotals = true}, 0},
      {ColdRule::Relative, {0.1, 0, 3, 4, 5, true}, 0xFFFFFFFFFFFF},
      {ColdRule::Pages, {}, 7, 20e6, 8.5e6},
      {ColdRule::Pages, {}, 8, 20e6, 0},
      {ColdRule::Pages, {}, 9, 20e6, 8.5e6, 30e6, 25e6, Horizon::Burst, 7e6},
      {ColdRule::Pages, {}, 9, 20e6, 8.5e6, 30e6, 0, Horizon::Window},
      {ColdRule::Pages,
       {.ByTotals = false},
       9,
       20e6,
       0,
       0,
       0,
       Horizon::Burst,
       0,
       uint64_t(Triple::aarch64) << 8 | Triple::x86_64}};
  for (const Basis &Known : All) {
    auto Words = Known.encode();
    for (uint64_t Word : Words)
      EXPECT_NE(Word, 0U) << "LLVM's readers drop it";
    EXPECT_EQ(Basis::in(namedWith(Words)), Known);
  }
}

TEST(Basis, WhatNobodyWritesIsNone) {
  Basis Known{
      ColdRule::Relative, {.MinLifetimeFraction = 0.5, .ByTotals = true}, 9};
  auto Words = Known.encode();
  EXPECT_FALSE(Basis::in({}));
  EXPECT_FALSE(Basis::in(namedWith({})));
  EXPECT_FALSE(Basis::in(namedWith(Words[0])));
  EXPECT_FALSE(Basis::in(namedWith({Words[0], Words[1], Words[1]})));
  EXPECT_FALSE(
      Basis::in(namedWith({Words[0] & ~(uint64_t(1) << 63), Words[1]})));
  EXPECT_FALSE(Basis::in(namedWith({Words[0] | uint64_t(1) << 62, Words[1]})));
  // No architectures, and what are none.
  const uint64_t WithOthers = Words[0] | uint64_t(1) << 61;
  EXPECT_FALSE(Basis::in(namedWith({WithOthers, Words[1]})));
  EXPECT_TRUE(Basis::in(namedWith({WithOthers, Words[1], Triple::aarch64})));
  EXPECT_FALSE(
      Basis::in(namedWith({WithOthers, Words[1], Triple::LastArchType + 1})));
  EXPECT_FALSE(Basis::in(
      namedWith({WithOthers, Words[1], uint64_t(Triple::aarch64) << 8})));
  // No number, and one out of range.
  EXPECT_FALSE(Basis::in(namedWith({Words[0], UINT64_MAX})));
  EXPECT_FALSE(Basis::in(namedWith({Words[0], bit_cast<uint64_t>(7.0) + 1})));
  // A prediction that is missing, negative or no number.
  Words = Basis{ColdRule::Pages, {}, 9, 5e6, 4e6}.encode();
  EXPECT_FALSE(Basis::in(namedWith({Words[0], Words[1]})));
  EXPECT_FALSE(
      Basis::in(namedWith({Words[0], Words[1], bit_cast<uint64_t>(-1.0) + 1})));
  for (double Wrong : {HUGE_VAL, 0x1p63, std::nan("")})
    EXPECT_FALSE(Basis::in(
        namedWith({Words[0], bit_cast<uint64_t>(Wrong) + 1, Words[2]})))
        << Wrong;
  EXPECT_TRUE(Basis::in(namedWith(Words)));
  // It is told that there was one.
  EXPECT_TRUE(Basis::isTold(namedWith(Words[0])));
  EXPECT_FALSE(Basis::isTold(namedWith({})));
}

TEST(Basis, OtherArchitecturesAreNamed) {
  Basis B;
  EXPECT_EQ(B.otherArchitectures(), "");
  B.OtherArchitectures = Triple::x86_64;
  EXPECT_EQ(B.otherArchitectures(), "x86_64");
  B.OtherArchitectures = uint64_t(Triple::riscv64) << 8 | Triple::aarch64;
  EXPECT_EQ(B.otherArchitectures(), "aarch64 and riscv64");
}

TEST(Basis, RulesForgetWhatTheyDoNotLookAt) {
  ColdThresholds Thresholds{0.1, 2, 3, 4, 5};
  Thresholds.forgetAllBut(ColdRule::LLVM);
  EXPECT_EQ(Thresholds, (ColdThresholds{.LLVMAccessDensity = 4,
                                        .LLVMLifetimeSeconds = 5,
                                        .ByTotals = true}));
  Thresholds = {0.1, 2, 3, 4, 5};
  Thresholds.forgetAllBut(ColdRule::RelativeApproximate);
  EXPECT_EQ(Thresholds, (ColdThresholds{.MinLifetimeFraction = 0.1,
                                        .AccessesPerByte = 2,
                                        .AccessesPerBytePerSecond = 3,
                                        .ByTotals = true}));
  Thresholds.forgetAllBut(ColdRule::Pages);
  EXPECT_EQ(Thresholds, ColdThresholds());
}

TEST(ContextMark, MayTellNothingElse) {
  auto Whole = ContextMark::of({{1234, 5}, {1, 0}});
  ASSERT_TRUE(Whole);
  EXPECT_EQ(Whole->Is, ContextMark::Kind::Whole);
  EXPECT_FALSE(Whole->Weight.isKnown());
  EXPECT_EQ(Whole->NumBasisWords, 0);
  auto Packed = ContextMark::of({{1234, 0}, {2, 0}});
  ASSERT_TRUE(Packed);
  EXPECT_EQ(Packed->Is, ContextMark::Kind::Packed);
}

TEST(ContextMark, ContextsOfProfilesAreNone) {
  EXPECT_FALSE(ContextMark::of({}));
  EXPECT_FALSE(ContextMark::of({{1, 0}}));
  EXPECT_FALSE(ContextMark::of({{1234, 5}, {1, 5}}));
  EXPECT_FALSE(ContextMark::of({{1234, 5}, {4, 0}}));
  EXPECT_FALSE(ContextMark::of({{1234, 5}, {1 | 1 << 20, 0}}));
  // More words than there are.
  EXPECT_FALSE(ContextMark::of({{1234, 5}, {1 | 2 << 16, 0}}));
}
