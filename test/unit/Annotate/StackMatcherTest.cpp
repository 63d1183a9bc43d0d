//===- unit/Annotate/StackMatcherTest.cpp ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/StackMatcher.h"
#include "ProfileText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

namespace {

/// alloc <- make <- {hot, cold} <- main, nothing inlined.
FakeProfile plainProfile() {
  FakeProfile Profile;
  for (StringRef Caller : {"hot", "cold"})
    Profile.add({frame("alloc", 1, 1), frame("make", 2, 2), frame(Caller, 3, 3),
                 frame("main", 4, 4)},
                Caller == "cold" ? 2000 : 10);
  return Profile;
}

AllocationMatch match(StackMatcher &Matcher, const InlinedStack &Stack) {
  Expected<AllocationMatch> Match = Matcher.matchAllocation(Stack);
  EXPECT_TRUE(static_cast<bool>(Match));
  return Match ? *Match : AllocationMatch();
}

SmallVector<uint64_t, 8> matchCall(StackMatcher &Matcher,
                                   const InlinedStack &Stack) {
  auto Ids = Matcher.matchCall(Stack);
  EXPECT_TRUE(static_cast<bool>(Ids));
  return Ids ? *Ids : SmallVector<uint64_t, 8>();
}

TEST(StackMatcher, AnAllocationThatIsNotInlinedHasAllItsContexts) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  AllocationMatch Match = match(Matcher, {source("alloc", 1, 1)});
  EXPECT_EQ(Match.Outcome, MatchOutcome::Matched);
  EXPECT_EQ(Match.Contexts.size(), 2u);
  EXPECT_EQ(Match.Callsite.size(), 1u);
  EXPECT_EQ(Match.SkippedFrames, 0u);
}

TEST(StackMatcher, AnInlinedAllocationHasTheContextsOfItsCallers) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  AllocationMatch Match =
      match(Matcher, {source("alloc", 1, 1), source("make", 2, 2),
                      source("cold", 3, 3)});
  ASSERT_EQ(Match.Outcome, MatchOutcome::Matched);
  ASSERT_EQ(Match.Contexts.size(), 1u);
  EXPECT_EQ(Match.Contexts[0].Type, AllocationType::Cold);
  EXPECT_EQ(Match.Callsite.size(), 3u);
  EXPECT_EQ(Match.Contexts[0].Stack.take_front(3), ArrayRef(Match.Callsite));
}

TEST(StackMatcher, WhatWasInlinedWhenProfiledDoesNotMatter) {
  FakeProfile Profile;
  Profile.add(
      {frame("alloc", 1, 1, true), frame("make", 2, 2), frame("main", 4, 4)},
      10);
  Profile.add({frame("alloc", 1, 1), frame("make", 2, 2), frame("other", 5, 5)},
              2000);
  StackMatcher Matcher(Profile.source());
  EXPECT_EQ(match(Matcher, {source("alloc", 1, 1)}).Contexts.size(), 2u);
  EXPECT_EQ(match(Matcher, {source("alloc", 1, 1), source("make", 2, 2)})
                .Contexts.size(),
            2u);
  // make's call of alloc, inlined in one context of the profile, is a callsite.
  EXPECT_EQ(matchCall(Matcher, {source("make", 2, 2)}).size(), 1u);
}

TEST(StackMatcher, OtherCallersThanProfiledMatchNothing) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  AllocationMatch Match =
      match(Matcher, {source("alloc", 1, 1), source("stranger", 9, 9)});
  EXPECT_EQ(Match.Outcome, MatchOutcome::OtherCallers);
  EXPECT_TRUE(Match.Contexts.empty());
}

TEST(StackMatcher, AnotherPlaceIsNotTheProfiledOne) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  EXPECT_EQ(match(Matcher, {source("alloc", 1, 2)}).Outcome,
            MatchOutcome::PlaceNotProfiled);
  EXPECT_EQ(match(Matcher, {source("stranger", 1, 1)}).Outcome,
            MatchOutcome::FunctionNotProfiled);
}

TEST(StackMatcher, InnermostFramesThatTheProfileLacksAreSkipped) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  AllocationMatch Match =
      match(Matcher, {source("nodebug", 1, 1), source("alloc", 1, 1),
                      source("make", 2, 2)});
  EXPECT_EQ(Match.Outcome, MatchOutcome::Matched);
  EXPECT_EQ(Match.SkippedFrames, 1u);
  EXPECT_EQ(Match.Callsite.size(), 2u);
  EXPECT_EQ(Match.Contexts.size(), 2u);
}

TEST(StackMatcher, ACallIsACallsiteOnlyIfAllItsFramesAreProfiled) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  EXPECT_EQ(matchCall(Matcher, {source("make", 2, 2)}).size(), 1u);
  EXPECT_EQ(matchCall(Matcher, {source("make", 2, 2), source("cold", 3, 3)}),
            (SmallVector<uint64_t, 8>{idOf(frame("make", 2, 2)),
                                      idOf(frame("cold", 3, 3))}));
  EXPECT_TRUE(
      matchCall(Matcher, {source("make", 2, 2), source("cold", 8, 8)}).empty());
  EXPECT_TRUE(matchCall(Matcher, {source("logger", 1, 1), source("cold", 3, 3)})
                  .empty());
  EXPECT_TRUE(matchCall(Matcher, {}).empty());
}

TEST(StackMatcher, EachRecordIsReadOnce) {
  FakeProfile Profile = plainProfile();
  StackMatcher Matcher(Profile.source());
  for (unsigned Copy = 0; Copy != 100; ++Copy) {
    match(Matcher, {source("alloc", 1, 1), source("make", 2, 2)});
    matchCall(Matcher, {source("stranger", 1, 1)});
  }
  EXPECT_EQ(Profile.Reads, 3u);
}

TEST(StackMatcher, AReadErrorIsHandedOn) {
  ProfileSource Source;
  Source.Record = [](GlobalValue::GUID) -> Expected<memprof::MemProfRecord> {
    return createStringError(inconvertibleErrorCode(), "broken");
  };
  StackMatcher Matcher(std::move(Source));
  EXPECT_EQ(toString(Matcher.matchAllocation({source("a", 1, 1)}).takeError()),
            "broken");
  EXPECT_EQ(toString(Matcher.matchCall({source("a", 1, 1)}).takeError()),
            "broken");
}

} // namespace
