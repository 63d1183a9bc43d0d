//===- unit/Engine/ResolutionTest.cpp -------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match/Resolver.h"
#include "thermocline/Context/Text.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::context;

// What is left out binds nothing, and what only it goes through is not needed;
// until other contexts are left out instead.
TEST(Resolution, LeavesContextsOut) {
  ContextProgram Program = cantFail(
      parseProgram("program", "thermocline-context-program 1\n"
                              "function main 9\nfunction f 9\nfunction g 9\n"
                              "function make 5\n"
                              "callsite main f : 1\ncallsite main g : 2\n"
                              "callsite f make : 3\ncallsite g make : 4\n"
                              "allocation make\n"
                              "context cold 1 : 3 1\ncontext notcold 1 : 4 2\n"
                              "context cold 1 : 3 1\n"));
  Resolution Resolved = resolve(Program);
  const ContextId OfF(0), OfG(1), SameOfF(2);
  const TrieStateId BelowF = Resolved.leaf(OfF), BelowG = Resolved.leaf(OfG);
  ASSERT_EQ(Resolved.leaf(SameOfF), BelowF);
  const TrieStateId InF = Resolved.callersOf(BelowF).front().Caller;
  const TrieStateId InMain = Resolved.callersOf(InF).front().Caller;
  auto Ids = [&](TrieStateId P) {
    std::vector<ContextId> Result;
    for (ContextHere C : Resolved.contextsAt(P))
      Result.push_back(C.id());
    return Result;
  };
  EXPECT_EQ(Ids(BelowF), (std::vector{OfF, SameOfF}));

  BitVector LeftOut(3);
  LeftOut.set(OfF.index());
  Resolved.leaveOut(Program, LeftOut);
  EXPECT_FALSE(Resolved.counts(OfF));
  EXPECT_EQ(Ids(BelowF), std::vector{SameOfF});
  EXPECT_TRUE(Resolved.isNeeded(InF));

  LeftOut.set(SameOfF.index());
  Resolved.leaveOut(Program, LeftOut);
  EXPECT_TRUE(Ids(BelowF).empty());
  EXPECT_FALSE(Resolved.isNeeded(BelowF));
  EXPECT_FALSE(Resolved.isNeeded(InF));
  EXPECT_TRUE(Resolved.isNeeded(BelowG));
  EXPECT_TRUE(Resolved.isNeeded(InMain));
  TrieCallees Callees(Resolved);
  ASSERT_EQ(Callees[InMain].size(), 1u);
  EXPECT_EQ(Callees[InMain].front().To,
            Resolved.callersOf(BelowG).front().Caller);

  LeftOut.reset();
  LeftOut.set(OfG.index());
  Resolved.leaveOut(Program, LeftOut);
  EXPECT_EQ(Ids(BelowF), (std::vector{OfF, SameOfF}));
  EXPECT_TRUE(Resolved.isNeeded(InF));
  EXPECT_FALSE(Resolved.isNeeded(BelowG));
}

// Frames above a call without a record (7 to 9) tell nothing apart, so that
// contexts which differ there alone share the trie states below it.
TEST(Resolution, SharesStatesBelowCallsWithoutRecord) {
  ContextProgram Program = cantFail(
      parseProgram("program", "thermocline-context-program 1\n"
                              "function main 9\nfunction f 9\nfunction g 9\n"
                              "function make 5\n"
                              "callsite main f : 1\ncallsite f g : 2\n"
                              "callsite g make : 3\ncallsite g make : 4\n"
                              "allocation make\n"
                              "context cold 1 : 3 2 7\n"
                              "context cold 1 : 3 2 8 9\n"
                              "context notcold 1 : 4 2 7\n"
                              "context notcold 1 : 4 2 8\n"
                              "context cold 1 : 3 2 1\n"));
  Resolution Resolved = resolve(Program);
  auto CallersOfLeaf = [&](size_t I) {
    return Resolved.callersOf(Resolved.leaf(ContextId(I)));
  };
  EXPECT_EQ(Resolved.leaf(ContextId(0)), Resolved.leaf(ContextId(1)));
  EXPECT_EQ(Resolved.leaf(ContextId(2)), Resolved.leaf(ContextId(3)));
  EXPECT_NE(Resolved.leaf(ContextId(0)), Resolved.leaf(ContextId(2)));
  EXPECT_NE(Resolved.leaf(ContextId(0)), Resolved.leaf(ContextId(4)));
  EXPECT_EQ(CallersOfLeaf(0).size(), 1u);
  EXPECT_NE(CallersOfLeaf(0).front().Caller, CallersOfLeaf(4).front().Caller);
}
