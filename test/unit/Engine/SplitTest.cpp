//===- unit/Engine/SplitTest.cpp ------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judges/Scenario.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

// main() { make(); /*cold*/ make(); }
TEST(Split, ColdCallerGetsItsOwnVersion) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 2\n"
             "allocation make\n"
             "context cold 100 : 1\ncontext notcold 10 : 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 1u);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({1}));
  EXPECT_EQ(S.clonesOf(1), ArrayRef<uint32_t>({0}));
  EXPECT_EQ(S.hintsOf(0), ArrayRef({Temperature::NotCold, Temperature::Cold}));
  EXPECT_EQ(S.Result.Statistics.InstructionsAdded, 5u);
  EXPECT_EQ(S.Result.Statistics.HintsCold, 1u);
  EXPECT_EQ(S.Audited.ColdToCold.Size, Bytes(100));
}

// main() { f(); /*cold*/ } f() { g(); } g() { make(); /*cold*/ }, and main and
// others call make() not-cold: the call in g alone tells it.
TEST(Split, LastCallThatTellsContextsApartIsUsed) {
  Scenario S("function main 9\nfunction f 9\nfunction g 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f g : 2\ncallsite g make : 3\n"
             "callsite main make : 4\n"
             "allocation make\n"
             "context cold 1 : 3 2 1\ncontext notcold 1 : 4\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 1u);
  EXPECT_EQ(S.versions("make"), 2u);
}

// make() is only ever cold: no clone is needed.
TEST(Split, AllocationOnlyColdIsHintedInPlace) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 2\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext cold 1 : 2\n");
  EXPECT_EQ(S.hinted(), 2u);
  EXPECT_EQ(S.clones(), 0u);
  EXPECT_EQ(S.hintsOf(0), ArrayRef({Temperature::Cold}));
}

// f is reached cold only, but its own call tells make apart as well.
TEST(Split, FunctionThatIsOnlyColdIsNotCloned) {
  Scenario S("function main 9\nfunction f 9\nfunction h 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f make : 2\n"
             "callsite main h : 3\ncallsite h make : 4\n"
             "allocation make\n"
             "context cold 1 : 2 1\ncontext notcold 1 : 4 3\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 1u);
  EXPECT_EQ(S.clones(), 1u);
}

// Two allocations, cold in opposite contexts: three versions.
TEST(Split, AllocationsOfOneFunctionDisagree) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 2\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext notcold 1 : 2\n"
             "allocation make\n"
             "context notcold 1 : 1\ncontext cold 1 : 2\n");
  EXPECT_EQ(S.hinted(), 2u);
  EXPECT_EQ(S.versions("make"), 3u);
}

// a() { f(); } b() { f(); } f() { make(); make(); }: cold are the first call
// from a and the second from b. Every single call is mixed.
TEST(Split, CombinationsOfTwoCallsCollideInTwoVersions) {
  Scenario S("function main 9\nfunction a 9\nfunction b 9\nfunction f 9\n"
             "function make 5\n"
             "callsite main a : 1\ncallsite main b : 2\n"
             "callsite a f : 3\ncallsite b f : 4\n"
             "callsite f make : 5\ncallsite f make : 6\n"
             "allocation make\n"
             "context cold 1 : 5 3 1\ncontext notcold 1 : 6 3 1\n"
             "context notcold 1 : 5 4 2\ncontext cold 1 : 6 4 2\n");
  EXPECT_EQ(S.hinted(), 2u);
  EXPECT_EQ(S.versions("f"), 2u);
  EXPECT_EQ(S.versions("make"), 2u);
  EXPECT_EQ(S.versions("a"), 1u);
  EXPECT_FALSE(S.Result.Statistics.SubsetsCutShort);

  // A limit on the search costs hints, never safety, and is told.
  EngineOptions Limited;
  Limited.MaxStates = 2;
  EngineResult Less = decide(S.Program, Limited);
  EXPECT_TRUE(Less.Statistics.SubsetsCutShort);
  EXPECT_EQ(Less.Outcomes[0], Outcome::Collides);
  EXPECT_TRUE(audit(S.Program, Less.Decided).isSafe());
}

TEST(Split, EqualContextsOfBothKindsStayNotCold) {
  Scenario S("function main 9\nfunction make 5\ncallsite main make : 1\n"
             "allocation make\ncontext cold 1 : 1\ncontext notcold 1 : 1\n");
  EXPECT_EQ(S.outcome(0), Outcome::Collides);
  EXPECT_EQ(S.outcome(1), Outcome::KeptNotCold);
  EXPECT_EQ(S.clones(), 0u);
}

TEST(Split, FunctionThatCannotBeClonedStaysSingle) {
  Scenario S("function main 9\nfunction make 5 unclonable\n"
             "callsite main make : 1\ncallsite main make : 2\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext notcold 1 : 2\n");
  EXPECT_EQ(S.outcome(0), Outcome::NotClonable);
  EXPECT_EQ(S.clones(), 0u);
  EXPECT_EQ(S.Audited.ColdNotSeparable.Contexts, 1u);
}

// What lies below a function that cannot be cloned is still told apart.
TEST(Split, CallsBelowAFunctionThatCannotBeClonedAreSplit) {
  Scenario S("function main 9\nfunction f 9 unclonable\nfunction make 5\n"
             "callsite main f : 1\n"
             "callsite f make : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 2 1\ncontext notcold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 1u);
  EXPECT_EQ(S.versions("make"), 2u);
}

TEST(Split, IndirectCallReachesTheOriginal) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make indirect : 1\ncallsite main make : 2\n"
             "callsite main make : 3\n"
             "allocation make\n"
             "context cold 1 : 1\ncontext cold 1 : 2\ncontext notcold 1 : 3\n");
  EXPECT_EQ(S.outcome(0), Outcome::IndirectCall);
  EXPECT_EQ(S.outcome(1), Outcome::HintedCold);
  EXPECT_EQ(S.clonesOf(0), ArrayRef<uint32_t>({0}));
}

// A not-cold context through an indirect call binds version 0 of the callee
// only, so that direct calls may still reach a cold version.
TEST(Split, DirectCallIsSplitFromNotColdIndirectCall) {
  Scenario S("function main 9\nfunction f 5\nfunction make 5\n"
             "callsite main f indirect : 1\ncallsite main f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\ncontext cold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 2u);
}

TEST(Split, CallWithoutContextKeepsCallingTheOriginal) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite main f : 2\n"
             "callsite f make : 3\ncallsite f make : 9\n"
             "allocation make\n"
             "context cold 1 : 3 1\ncontext notcold 1 : 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clonesOf(3), ArrayRef<uint32_t>({0, 0}));
}

TEST(Split, WithoutCloningOnlyPureAllocationsAreHinted) {
  Scenario S("function main 9\nfunction make 5\n"
             "callsite main make : 1\ncallsite main make : 2\n"
             "allocation make\ncontext cold 1 : 1\ncontext notcold 1 : 2\n"
             "allocation make\ncontext cold 1 : 1\n");
  EngineResult Without = decide(S.Program, {.Clone = false});
  EXPECT_EQ(Without.Decided, Decisions::none(S.Program));
  EXPECT_EQ(Without.Outcomes[0], Outcome::Collides);
  EXPECT_EQ(Without.Outcomes[2], Outcome::HintedCold);
}

TEST(Split, NothingToDecide) {
  EXPECT_EQ(Scenario("").clones(), 0u);
  EXPECT_EQ(Scenario("function f 1\nallocation f\n").hintsOf(0),
            ArrayRef({Temperature::NotCold}));
}
