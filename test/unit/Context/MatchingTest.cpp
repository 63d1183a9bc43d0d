//===- unit/Context/MatchingTest.cpp --------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scenario.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

// main() { f() /*1*/; f() /*2*/; } f() { make() /*3*/; }, where the first call
// of f was inlined into main and f itself remains.
TEST(Matching, CallInlinedInOnePlaceAndNotInAnother) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.clones(), 1u);
}

// The same source call both inlined and not: both ways must be cold.
TEST(Matching, BothWaysOfAContextAreHinted) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 1\n"
             "callsite main f : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.versions("f"), 2u);
}

// One of two ways cannot be redirected: the context does not count as hinted.
TEST(Matching, OneWayThatCannotBeColdSpoilsTheContext) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f indirect : 1\n"
             "callsite main f indirect : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(0), Outcome::IndirectCall);
}

// warm() { make() /*1*/; } cold() { make() /*2*/; }, where the first call was
// inlined, with its allocation. make() remains, and still lists its context.
TEST(Matching, AllocationInlinedInOnePlaceAndNotInAnother) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite cold make : 2\n"
             "allocation make\n"
             "context notcold 1 full a : 1 7\ncontext cold 1 full b : 2 8\n"
             "allocation warm\n"
             "context notcold 1 full a : 7\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.versions("make"), 2u);
}

// The same with the cold one inlined: what make() lists of it has no outcome of
// its own.
TEST(Matching, ColdAllocationInlined) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite warm make : 1\n"
             "allocation make\n"
             "context notcold 1 full a : 1 7\ncontext cold 1 full b : 2 8\n"
             "allocation cold\n"
             "context cold 1 full b : 8\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.outcome(1), Outcome::RanElsewhere);
  EXPECT_EQ(S.outcome(2), Outcome::HintedCold);
  EXPECT_EQ(S.clones(), 0u);
}

// The copy of the allocation is gone, or never had the context: it may have run
// in any version.
TEST(Matching, UnmatchedContextWithoutACopyBindsEveryVersion) {
  Scenario S("function warm 9\nfunction cold 9\nfunction make 5\n"
             "callsite cold make : 2\n"
             "allocation make\n"
             "context notcold 1 full a : 1\ncontext cold 1 full b : 2\n"
             "allocation warm\n"
             "context notcold 2 full a :\n");
  EXPECT_EQ(S.hinted(), 0u);
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
}

// An unrolled loop: two calls with the same id.
TEST(Matching, DuplicatedCallsAreRedirectedTogether) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 1\n"
             "callsite main make : 2\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext notcold 1 : 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), S.clonesOf(1));
}

// Ten levels, each call there twice and once more inlined: 3^10 ways.
TEST(Matching, WaysAreSharedNotListed) {
  std::string Text = "function make 5\n";
  for (int I = 0; I != 41; ++I)
    Text += "function f" + std::to_string(I) + " 9\n";
  Text += "callsite f0 make : 1\ncallsite f0 make : 1\n"
          "callsite f1 make : 1 2\ncallsite f0 make : fff\n";
  std::string Context = "1";
  for (int I = 1; I != 41; ++I) {
    std::string Callee = "f" + std::to_string(I - 1);
    std::string Caller = "f" + std::to_string(I);
    std::string Id = std::to_string(I + 1), NextId = std::to_string(I + 2);
    Text += "callsite " + Caller + " " + Callee + " : " + Id + "\n";
    Text += "callsite " + Caller + " " + Callee + " : " + Id + "\n";
    if (I != 40)
      Text += "callsite f" + std::to_string(I + 1) + " " + Callee + " : " + Id +
              " " + NextId + "\n";
    Context += " " + Id;
  }
  Scenario S(Text + "allocation make\ncontext cold 1 : " + Context +
             "\ncontext notcold 1 : fff\n");
  EXPECT_EQ(S.hinted(), 1u);
}

// Trimmed at f: nothing is known of f's callers.
TEST(Matching, TrimmedContextBindsEveryVersionOfItsRoot) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite main f : 2\n"
             "callsite f make : 3\ncallsite f make : 4\n"
             "allocation make\n"
             "context notcold 1 : 3\n"
             "context cold 1 : 4 1\ncontext notcold 1 : 4 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  // Call 3 reaches the original from every version of f.
  EXPECT_EQ(S.clonesOf(2), ArrayRef<uint32_t>({0, 0}));
}

// A cold whole context ends like a trimmed not-cold one.
TEST(Matching, TrimmedContextForbidsWhatEndsLikeIt) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
}

// Trimmed to nothing: it binds the allocation in all versions of its owner.
TEST(Matching, ContextWithoutFramesBindsItsOwner) {
  Scenario S("function main 9\nfunction make 5\ncallsite main make : 1\n"
             "allocation make\n"
             "context notcold 1 :\ncontext cold 1 : 1\n");
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
  EXPECT_EQ(S.clones(), 0u);
}

// The context is cut after frame 3, in the middle of what main has inlined.
TEST(Matching, ContextEndsInsideAnInlinedSequence) {
  Scenario S("function main 9\nfunction other 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite other make : 4\n"
             "allocation make\n"
             "context cold 1 : 3\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
}

// f is inlined into main alone; that the way through f itself ends at frame 1,
// of which f knows no call, does not bind f.
TEST(Matching, DeadEndOfAContextWithAnotherWayBindsNothing) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main make : 3 1\ncallsite main f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\ncontext cold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 1u);
}

TEST(Matching, BlockedNotColdContextBindsEveryVersion) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 777\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.outcome(1), Outcome::Collides);
}

TEST(Matching, BlockedColdContextsSayWhy) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main ? indirect : a\ncallsite main ? outside : b\n"
             "callsite main f : 1\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\n"
             "context cold 1 : 3 777\ncontext cold 1 : 3 a\n"
             "context cold 1 : 3 b\n");
  EXPECT_EQ(S.outcome(1), Outcome::UnmatchedFrame);
  EXPECT_EQ(S.outcome(2), Outcome::IndirectCall);
  EXPECT_EQ(S.outcome(3), Outcome::OutsideLink);
  EXPECT_EQ(S.Audited.ColdNotSeparable.Contexts, 3u);
}

// Nothing is known above f, but the call in f is cold whoever calls f.
TEST(Matching, BlockedColdContextIsHintedByWhatWasMatched) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite f make : 3\ncallsite main make : 4\n"
             "allocation make\n"
             "context cold 1 : 3 777\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 1u);
}
