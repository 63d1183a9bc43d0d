//===- unit/Placement/UnseenTest.cpp - Touches that were not seen ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OneRun.h"
#include "thermocline/Placement/Placement.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::placement;
using namespace thermocline::profile;
using thermocline::test::oneRun;

namespace {

constexpr uint64_t StandsFor = 100;

/// A context of 64-byte objects that live all the time, of which \p LookedAt
/// were looked at. The part \p Touched of them is touched in each burst.
ContextTouches sampled(uint64_t LookedAt, double Touched) {
  const uint64_t Live = LookedAt * StandsFor;
  const auto Some = static_cast<uint64_t>(static_cast<double>(Live) * Touched);
  ContextTouches Result;
  Result.Objects.Windows.assign(BinsPerPhase, {Live, Live * 64, Some, Some});
  Result.Objects.Estimated = Live * BinsPerPhase - LookedAt;
  Result.Objects.Variance = Live * BinsPerPhase * (StandsFor - 1);
  return Result;
}

/// Whether the first of \p Contexts is cold, and whether too few of its objects
/// were looked at.
PlacedContext first(std::vector<ContextTouches> Contexts) {
  return cantFail(place({oneRun(), std::move(Contexts)}, {})).Contexts[0];
}

TEST(UnseenTest, FewObjectsTellWhereContextsAreInUseOrNot) {
  std::vector<ContextTouches> Contexts = {sampled(30, 0)};
  for (int I = 0; I != 10; ++I) {
    Contexts.push_back(sampled(200, 0));
    Contexts.push_back(sampled(200, 0.9));
  }
  EXPECT_TRUE(first(Contexts).Cold);
  // Of one object, nobody knows.
  Contexts[0] = sampled(1, 0);
  EXPECT_FALSE(first(Contexts).Cold);
}

TEST(UnseenTest, FewObjectsTellLittleWhereAllIsUsedNowAndThen) {
  std::vector<ContextTouches> Contexts = {sampled(30, 0)};
  for (int I = 0; I != 20; ++I)
    Contexts.push_back(sampled(200, 0.02 + 0.001 * I));
  EXPECT_FALSE(first(Contexts).Cold);
  // Many do.
  Contexts[0] = sampled(3000, 0);
  EXPECT_TRUE(first(Contexts).Cold);
}

TEST(UnseenTest, OfFewContextsNothingIsConcluded) {
  EXPECT_FALSE(
      first({sampled(30, 0), sampled(200, 0), sampled(200, 0.9)}).Cold);
  EXPECT_TRUE(
      first({sampled(3000, 0), sampled(200, 0), sampled(2000, 0.9)}).Cold);
}

TEST(UnseenTest, WhatWasCountedTellsNothingOfWhatWasSampled) {
  std::vector<ContextTouches> Contexts = {sampled(30, 0)};
  for (int I = 0; I != 10; ++I)
    for (double Touched : {0.0, 0.9}) {
      Contexts.push_back(sampled(200, Touched));
      Contexts.back().Objects.Estimated = Contexts.back().Objects.Variance = 0;
    }
  EXPECT_FALSE(first(Contexts).Cold);
  EXPECT_TRUE(first(Contexts).TooFew);
}

} // namespace
