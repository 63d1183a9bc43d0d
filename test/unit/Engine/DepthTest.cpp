//===- unit/Engine/DepthTest.cpp ------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recursion and sizes.
//
//===----------------------------------------------------------------------===//

#include "Judges/Scenario.h"
#include <random>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

// f(n) { n ? f(n - 1) /*2*/ : make() /*3*/; }, called cold and not-cold.
TEST(Recursion, Direct) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite main f : 4\ncallsite f f : 2\n"
             "callsite f make : 3\n"
             "allocation make\n"
             "context cold 1 : 3 2 2 2 1\ncontext cold 1 : 3 2 1\n"
             "context notcold 1 : 3 2 2 4\ncontext notcold 1 : 3 4\n");
  EXPECT_EQ(S.hinted(), 2u);
  EXPECT_EQ(S.clones(), 2u);
}

// Cold is the second level of the recursion alone.
TEST(Recursion, LevelsAreToldApart) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f f : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 1\ncontext cold 1 : 3 2 1\n"
             "context notcold 1 : 3 2 2 1\n");
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.versions("f"), 2u);
}

// even() { odd(); } odd() { even(); make(); }
TEST(Recursion, Mutual) {
  Scenario S("function main 9\nfunction even 9\nfunction odd 9\n"
             "function make 5\n"
             "callsite main even : 1\ncallsite main odd : 2\n"
             "callsite even odd : 3\ncallsite odd even : 4\n"
             "callsite odd make : 5\n"
             "allocation make\n"
             "context cold 1 : 5 3 4 3 1\ncontext cold 1 : 5 3 1\n"
             "context notcold 1 : 5 3 4 2\ncontext notcold 1 : 5 2\n");
  EXPECT_EQ(S.hinted(), 2u);
}

// A trimmed recursive context binds all versions of the recursive function.
TEST(Recursion, TrimmedInTheMiddle) {
  Scenario S("function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f f : 2\ncallsite f make : 3\n"
             "allocation make\n"
             "context notcold 1 : 3 2\ncontext cold 1 : 3 1\n");
  EXPECT_EQ(S.hinted(), 1u);
}

static ContextProgram recursionOfDepth(size_t Depth) {
  ContextProgram P;
  FunctionId Main = P.addFunction("main", 9, true);
  FunctionId F = P.addFunction("f", 9, true);
  FunctionId Make = P.addFunction("make", 9, true);
  P.addCallsite(Main, F, Redirect::Yes, {StackId(1)});
  P.addCallsite(Main, F, Redirect::Yes, {StackId(2)});
  P.addCallsite(F, F, Redirect::Yes, {StackId(3)});
  P.addCallsite(F, Make, Redirect::Yes, {StackId(4)});
  P.addAllocation(Make);
  for (uint64_t Root : {1, 2}) {
    std::vector<StackId> Ids(Depth, StackId(3));
    Ids.front() = StackId(4);
    Ids.back() = StackId(Root);
    P.addContext(Root == 1 ? Temperature::Cold : Temperature::NotCold, Bytes(1),
                 0, Ids);
  }
  return P;
}

// LLVM's summaries list a call of a function by itself once, however deep it
// went.
TEST(Recursion, FoldedContextsHoldAtAnyDepth) {
  Scenario S("folded\n"
             "function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite main f : 2\ncallsite f f : 3\n"
             "callsite f make : 4\n"
             "allocation make\n"
             "context cold 8 : 4 3 1\ncontext notcold 8 : 4 3 2\n");
  EXPECT_EQ(S.hinted(), 1u);
  // Round and round in one version, and from there to the cold make.
  uint32_t Version = S.clonesOf(0)[0];
  EXPECT_NE(Version, S.clonesOf(1)[0]);
  for (unsigned Depth = 0; Depth != 5; ++Depth) {
    Version = S.clonesOf(2)[Version];
    EXPECT_EQ(S.hintsOf(0)[S.clonesOf(3)[Version]], Temperature::Cold);
  }
}

// The depth is all that tells these two apart, and it is lost.
TEST(Recursion, FoldedContextsOfOtherDepthCollide) {
  Scenario S("folded\n"
             "function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f f : 3\ncallsite f make : 4\n"
             "allocation make\n"
             "context cold 8 : 4 3 1\ncontext notcold 8 : 4 3 1\n");
  EXPECT_EQ(S.outcome(0), Outcome::Collides);
}

// Tail calls in a circle have no order.
TEST(Depth, TailCallsInACircleAreLeftOut) {
  Scenario S("function main 9\nfunction a 9\nfunction b 9\n"
             "callsite main a : 1\ncallsite main b : 1\n"
             "callsite a b :\ncallsite b a :\n"
             "allocation a\ncontext cold 8 : 1\n");
  EXPECT_EQ(S.outcome(0), Outcome::HintedCold);
}

TEST(Depth, TenThousandFramesOfRecursion) {
  Scenario S(recursionOfDepth(10000));
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 2u);
}

TEST(Depth, TenThousandFunctionsDeep) {
  ContextProgram P;
  for (uint32_t I = 0; I != 10000; ++I)
    P.addFunction("f" + std::to_string(I), 9, true);
  for (uint32_t I = 0; I + 1 != 10000; ++I)
    P.addCallsite(FunctionId(I), FunctionId(I + 1), Redirect::Yes,
                  {StackId(I)});
  P.addCallsite(FunctionId(0), FunctionId(1), Redirect::Yes,
                {StackId(1000000)});
  P.addAllocation(FunctionId(9999));
  std::vector<StackId> Ids;
  for (uint32_t I = 9999; I-- != 0;)
    Ids.push_back(StackId(I));
  P.addContext(Temperature::NotCold, Bytes(1), 0, Ids);
  Ids.back() = StackId(1000000);
  P.addContext(Temperature::Cold, Bytes(1), 0, Ids);
  Scenario S(std::move(P));
  EXPECT_EQ(S.hinted(), 1u);
  EXPECT_EQ(S.clones(), 9999u);
}

// Every second of 5,000 calls is cold.
TEST(Depth, ThousandsOfContextsOfOneAllocation) {
  ContextProgram P;
  FunctionId Main = P.addFunction("main", 9, true);
  FunctionId Make = P.addFunction("make", 9, true);
  for (uint64_t I = 0; I != 5000; ++I)
    P.addCallsite(Main, Make, Redirect::Yes, {StackId(I)});
  P.addAllocation(Make);
  for (uint64_t I = 0; I != 5000; ++I)
    P.addContext(I % 2 ? Temperature::Cold : Temperature::NotCold, Bytes(1), 0,
                 {StackId(I)});
  Scenario S(std::move(P));
  EXPECT_EQ(S.hinted(), 2500u);
  EXPECT_EQ(S.clones(), 1u);
}

// One helper inlined into 3,000 callers: the call's first id is the same in
// all.
TEST(Depth, ThousandsOfInlinedCopiesOfOneCall) {
  ContextProgram P;
  FunctionId Make = P.addFunction("make", 9, true);
  for (uint64_t I = 0; I != 3000; ++I)
    P.addCallsite(P.addFunction("f" + std::to_string(I), 9, true), Make,
                  Redirect::Yes, {StackId(7), StackId(100 + I)});
  P.addAllocation(Make);
  for (uint64_t I = 0; I != 3000; ++I)
    P.addContext(I % 3 ? Temperature::NotCold : Temperature::Cold, Bytes(1), 0,
                 {StackId(7), StackId(100 + I)});
  Scenario S(std::move(P));
  EXPECT_EQ(S.hinted(), 1000u);
  EXPECT_EQ(S.clones(), 1u);
}

namespace {

/// Every way down \p Levels functions of two calls each, which \p IsCold
/// tells apart. Each clone of a function adds an instruction.
ContextProgram allWaysDown(unsigned Levels,
                           function_ref<bool(uint32_t Way)> IsCold) {
  ContextProgram Program;
  std::vector<FunctionId> Functions;
  for (unsigned I = 0; I <= Levels; ++I)
    Functions.push_back(
        Program.addFunction("f" + std::to_string(I), 1, /*Clonable=*/true));
  auto IdOf = [](unsigned Level, unsigned Call) {
    return StackId(2 * Level + Call + 1);
  };
  for (unsigned I = 0; I != Levels; ++I)
    for (unsigned Call : {0u, 1u})
      Program.addCallsite(Functions[I], Functions[I + 1], Redirect::Yes,
                          {IdOf(I, Call)});
  Program.addAllocation(Functions.back());
  std::vector<StackId> Ids(Levels);
  for (uint32_t Way = 0; Way != 1u << Levels; ++Way) {
    for (unsigned I = 0; I != Levels; ++I)
      Ids[I] = IdOf(Levels - 1 - I, Way >> I & 1);
    Program.addContext(IsCold(Way) ? Temperature::Cold : Temperature::NotCold,
                       Bytes(16), 0, Ids);
  }
  return Program;
}

} // namespace

// A thousand states of a function that differ far down are told apart, but
// not each compared with all others: this is less than the limit of the whole
// search, and more than that of one function.
TEST(Depth, SearchForFewClonesEndsWhereItFindsNothing) {
  std::minstd_rand Dice(1);
  ContextProgram Program =
      allWaysDown(14, [&](uint32_t) { return (Dice() >> 8) % 2 != 0; });
  EngineResult Result = decide(Program);
  EXPECT_TRUE(Result.Statistics.MergingCutShort);
  AuditResult Audited = audit(Program, Result.Decided);
  EXPECT_TRUE(Audited.isSafe());
  for (Outcome O : Result.Outcomes)
    EXPECT_TRUE(O == Outcome::HintedCold || O == Outcome::KeptNotCold);

  // The worthiest contexts that fit are found, though what all need does not.
  EngineOptions Limited;
  Limited.MaxInstructionsAdded = Result.Statistics.InstructionsWanted / 50;
  EngineResult Less = decide(Program, Limited);
  EXPECT_LE(Less.Statistics.InstructionsAdded, *Limited.MaxInstructionsAdded);
  EXPECT_TRUE(audit(Program, Less.Decided).isSafe());
  EXPECT_GE(llvm::count(Less.Outcomes, Outcome::HintedCold), 20);
}

// Where states are few, however many contexts have them, a function has a
// version for each, and the search finds them all.
TEST(Depth, StatesThatAreTheSameBelowShareVersions) {
  ContextProgram Program = allWaysDown(
      14, [](uint32_t Way) { return llvm::popcount(Way) % 2 != 0; });
  EngineResult Result = decide(Program);
  EXPECT_FALSE(Result.Statistics.MergingCutShort);
  EXPECT_EQ(Result.Statistics.ClonesMade, 14u);
}
