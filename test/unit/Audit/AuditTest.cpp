//===- unit/Audit/AuditTest.cpp -------------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

// main() { f() /*1*/; f() /*2*/; } f() { make(); /*3*/ }
constexpr char TwoCallers[] = "thermocline-context-program 1\n"
                              "function main 100\nfunction f 10\n"
                              "function make 5\n"
                              "callsite main f : 1\ncallsite main f : 2\n"
                              "callsite f make : 3\n"
                              "allocation make\n"
                              "context cold 64 : 3 1\n"
                              "context notcold 32 : 3 2\n";

AuditResult auditOf(StringRef Program, StringRef Decided) {
  ContextProgram P = cantFail(parseProgram("program", Program));
  return audit(
      P, cantFail(parseDecisions(
             "decisions", ("thermocline-decisions 1\n" + Decided).str(), P)));
}

TEST(Audit, CountsSeparatedContexts) {
  AuditResult A = auditOf(TwoCallers, "versions f 2\nversions make 2\n"
                                      "clones 0 : 1\nclones 2 : 0 1\n"
                                      "hints 0 : notcold cold\n");
  EXPECT_TRUE(A.isSafe());
  EXPECT_EQ(A.ColdToCold.Contexts, 1u);
  EXPECT_EQ(A.ColdToCold.Size, Bytes(64));
  EXPECT_EQ(A.NotColdToNotCold.Size, Bytes(32));
  EXPECT_EQ(A.ClonesMade, 2u);
  EXPECT_EQ(A.FunctionsCloned, 2u);
  EXPECT_EQ(A.InstructionsAdded, 15u);
  EXPECT_TRUE(A.Contexts[0].Separable);
}

TEST(Audit, FindsFalseCold) {
  AuditResult A = auditOf(TwoCallers, "hints 0 : cold\n");
  EXPECT_FALSE(A.isSafe());
  EXPECT_EQ(A.NotColdToCold.Contexts, 1u);
  EXPECT_EQ(A.NotColdToCold.Size, Bytes(32));
  EXPECT_EQ(A.Malformed.size(), 0u);
}

TEST(Audit, FindsMissedCold) {
  AuditResult A = auditOf(TwoCallers, "");
  EXPECT_TRUE(A.isSafe());
  EXPECT_EQ(A.ColdToNotCold.Contexts, 1u);
  EXPECT_EQ(A.ColdNotSeparable.Contexts, 0u);
}

// A trimmed context runs in every version of f that anything calls.
TEST(Audit, TrimmedContextIsWalkedFromEveryVersion) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction f 1\n"
                             "callsite main f : 1\n"
                             "allocation f\ncontext notcold 8 :\n";
  EXPECT_EQ(auditOf(Program, "versions f 2\nclones 0 : 1\n"
                             "hints 0 : notcold cold\n")
                .NotColdToCold.Contexts,
            1u);
  EXPECT_EQ(auditOf(Program, "versions f 2\nhints 0 : notcold cold\n")
                .NotColdToCold.Contexts,
            0u);
}

// main() { (*p)() /*1*/; } f() { make(); /*2*/ }, where the pointer may be that
// of a function without a frame that calls f().
TEST(Audit, PointerMayLeadToTheOriginal) {
  constexpr char Decided[] = "versions f 2\nversions make 2\n"
                             "clones 0 : 1\nclones 1 : 1 0\n"
                             "hints 0 : notcold cold\n";
  auto Program = [](StringRef Kind, StringRef Marks) {
    return ("thermocline-context-program 1\n"
            "function main 1\nfunction f 1\nfunction make 1\n"
            "callsite main f" +
            Marks + " : 1\ncallsite f make : 2\nallocation make\ncontext " +
            Kind + " 8 : 2 1\n")
        .str();
  };
  auto FalseCold = [&](StringRef Kind, StringRef Marks) {
    return auditOf(Program(Kind, Marks), Decided).NotColdToCold.Contexts;
  };
  EXPECT_EQ(FalseCold("notcold", " compared"), 1u);
  EXPECT_EQ(FalseCold("notcold", ""), 0u);
}

// A native function calls g(), which leads to make() by a call that has a frame
// elsewhere.
TEST(Audit, CallWithARecordMayLeaveNoFrame) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction g 1\nfunction make 1\n"
                             "callsite main g : 1\ncallsite g make tail : 2\n"
                             "allocation make\n"
                             "context cold 8 : 2 1\ncontext notcold 8 : 9\n";
  AuditResult A = auditOf(Program, "versions make 2\nclones 1 : 1\n"
                                   "hints 0 : notcold cold\n");
  EXPECT_EQ(A.NotColdToCold.Contexts, 1u);
  EXPECT_EQ(auditOf(Program, "versions g 2\nversions make 2\nclones 0 : 1\n"
                             "clones 1 : 0 1\nhints 0 : notcold cold\n")
                .NotColdToCold.Contexts,
            0u);
}

TEST(Audit, CoroutineIsResumedInAnyVersion) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction f 1 anyversion\n"
                             "callsite main f : 1\n"
                             "allocation f\n"
                             "context cold 8 : 1\ncontext notcold 8 : 9\n";
  EXPECT_EQ(auditOf(Program, "versions f 2\nclones 0 : 1\n"
                             "hints 0 : notcold cold\n")
                .NotColdToCold.Contexts,
            1u);
}

TEST(Audit, WhatMayBeEnteredAgainIsNotPromised) {
  auto Judged = [&](StringRef Marks, StringRef Decided) {
    return auditOf(("thermocline-context-program 1\n"
                    "function main 1\nfunction f 1\nfunction make 1\n"
                    "callsite main f" +
                    Marks +
                    " : 1\ncallsite f make : 2\nallocation make\n"
                    "context cold 8 : 2 1\ncontext notcold 8 : 2 9\n")
                       .str(),
                   Decided);
  };
  constexpr char Versions[] = "versions f 2\nversions make 2\nclones 0 : 1\n"
                              "clones 1 : 0 1\nhints 0 : notcold cold\n";
  EXPECT_EQ(Judged("", Versions).ColdToCold.Contexts, 1u);
  AuditResult A = Judged(" again", Versions);
  EXPECT_EQ(A.ColdToCold.Contexts, 0u);
  EXPECT_EQ(A.ColdIfPointer.Contexts, 1u);
  EXPECT_TRUE(A.Contexts[0].MayEnterAgain);
  // Below the call there is one version of each.
  EXPECT_EQ(Judged(" again", "hints 0 : cold\n").ColdToCold.Contexts, 1u);
}

TEST(Audit, RecordsWhatIsMalformed) {
  AuditResult A =
      auditOf(TwoCallers, "versions f 2\nversions make 2\n"
                          "clones 0 : 5\nclones 1 : 1 1\nclones 2 : 0\n"
                          "hints 0 : cold\n");
  EXPECT_EQ(A.Malformed,
            (std::vector<std::string>{
                "callsite 0 in main calls version 5 of f, which has 2",
                "callsite 1 in main decides for 2 versions of 1",
                "callsite 2 in f decides for 1 versions of 2",
                "allocation 0 in make decides for 1 versions of 2"}));
  EXPECT_FALSE(A.isSafe());
}

TEST(Audit, SurvivesDecisionsOfAnotherProgram) {
  ContextProgram P = cantFail(parseProgram("program", TwoCallers));
  AuditResult A = audit(P, Decisions());
  EXPECT_EQ(A.Malformed.size(), 3u);
  EXPECT_EQ(A.ColdToNotCold.Contexts, 1u);
}

TEST(Audit, CallThatCannotBeRedirectedIsWalkedToTheOriginal) {
  AuditResult A = auditOf("thermocline-context-program 1\n"
                          "function main 1\nfunction make 1\n"
                          "callsite main make indirect : 1\n"
                          "allocation make\ncontext cold 8 : 1\n",
                          "versions make 2\nclones 0 : 1\n"
                          "hints 0 : notcold cold\n");
  EXPECT_EQ(A.ColdToNotCold.Contexts, 1u);
  EXPECT_EQ(A.ColdNotSeparable.Contexts, 1u);
  EXPECT_EQ(A.Malformed.size(), 1u);
}

// make was inlined into f, where its allocation is cold; the copy that is left
// has the same contexts, but no call reaches it by their frames.
TEST(Audit, CountsContextsOfInlinedAllocationsOnce) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction f 1\nfunction make 1\n"
                             "callsite main f : 4\n"
                             "allocation f\ncontext cold 64 full aa : 4\n"
                             "allocation make\ncontext cold 64 full aa : 3 4\n";
  AuditResult A = auditOf(Program, "hints 0 : cold\n");
  EXPECT_EQ(A.ColdToCold.Contexts, 1u);
  EXPECT_EQ(A.ColdToCold.Size, Bytes(64));
  EXPECT_EQ(A.ColdToNotCold.Contexts, 0u);
  EXPECT_EQ(A.Contexts[1].CountedAs, ContextId(0));
  // What is reached and has no hint is not made good by what is not reached.
  A = auditOf(Program, "hints 1 : cold\n");
  EXPECT_EQ(A.ColdToCold.Contexts, 0u);
  EXPECT_EQ(A.ColdToNotCold.Contexts, 1u);
}

// Unrolling: two copies of one allocation, both reached.
TEST(Audit, AllCopiesOfAContextMustBeHinted) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function f 1\n"
                             "allocation f\ncontext cold 64 full aa :\n"
                             "allocation f\ncontext cold 64 full aa :\n";
  EXPECT_EQ(
      auditOf(Program, "hints 0 : cold\nhints 1 : cold\n").ColdToCold.Contexts,
      1u);
  AuditResult A = auditOf(Program, "hints 0 : cold\n");
  EXPECT_EQ(A.ColdToCold.Contexts, 0u);
  EXPECT_EQ(A.ColdToNotCold.Size, Bytes(64));
  EXPECT_EQ(A.Contexts[0].CountedAs, ContextId(1));
}

// A copy that no call reaches by its frames may still run: false cold counts.
TEST(Audit, FalseColdCountsInAnyCopy) {
  constexpr char Program[] =
      "thermocline-context-program 1\n"
      "function main 1\nfunction f 1\nfunction make 1\n"
      "callsite main f : 4\n"
      "allocation f\ncontext notcold 64 full aa : 4\n"
      "allocation make\ncontext notcold 64 full aa : 3 4\n";
  AuditResult A = auditOf(Program, "hints 1 : cold\n");
  EXPECT_EQ(A.NotColdToCold.Contexts, 1u);
  EXPECT_EQ(A.NotColdToNotCold.Contexts, 0u);
}

// main() { f() /*1*/; f() /*2*/; } f() { return g(); } g() { return make(); }
constexpr char TailCalls[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction f 1\n"
                             "function g 1\nfunction make 1\n"
                             "function other 1\n"
                             "callsite main f : 1\ncallsite main f : 2\n"
                             "callsite f g :\ncallsite g make :\n"
                             "callsite other make :\n"
                             "allocation make\n"
                             "context cold 64 : 1\n"
                             "context notcold 32 : 2\n";

TEST(Audit, FollowsTailCalls) {
  AuditResult A = auditOf(TailCalls, "versions f 2\nversions g 2\n"
                                     "versions make 2\nclones 0 : 1\n"
                                     "clones 2 : 0 1\nclones 3 : 0 1\n"
                                     "hints 0 : notcold cold\n");
  EXPECT_TRUE(A.isSafe());
  EXPECT_EQ(A.ColdToCold.Contexts, 1u);
  EXPECT_EQ(A.NotColdToNotCold.Contexts, 1u);
  EXPECT_TRUE(A.Contexts[0].Separable);
}

// No call of a context leads to other: what it calls is of no account.
TEST(Audit, FollowsTailCallsOnlyFromWhereAContextComes) {
  AuditResult A = auditOf(TailCalls, "versions make 2\nclones 4 : 1\n"
                                     "hints 0 : notcold cold\n");
  EXPECT_TRUE(A.isSafe());
  EXPECT_EQ(A.ColdToNotCold.Contexts, 1u);
}

TEST(Audit, FindsFalseColdBelowTailCalls) {
  AuditResult A = auditOf(TailCalls, "versions g 2\nversions make 2\n"
                                     "clones 2 : 1\nclones 3 : 0 1\n"
                                     "hints 0 : notcold cold\n");
  EXPECT_FALSE(A.isSafe());
  EXPECT_EQ(A.NotColdToCold.Contexts, 1u);
}

// f may have called make directly, or by way of g.
TEST(Audit, SeveralChainsOfTailCallsCannotBeToldApart) {
  std::string Program = TailCalls;
  Program.insert(Program.find("allocation"), "callsite f make :\n");
  AuditResult A = auditOf(Program, "versions f 2\nversions make 2\n"
                                   "clones 0 : 1\nclones 5 : 0 1\n"
                                   "hints 0 : notcold cold\n");
  EXPECT_TRUE(A.Contexts[0].ReachesCold);
  EXPECT_TRUE(A.Contexts[0].ReachesNotCold);
  EXPECT_FALSE(A.Contexts[0].Separable);
}

// f() { ... return g(); } g() { ... return f(); }
TEST(Audit, TailCallsMayRunInCircles) {
  std::string Program = TailCalls;
  Program.insert(Program.find("allocation"), "callsite g f :\n");
  AuditResult A = auditOf(Program, "versions f 2\nversions g 2\n"
                                   "versions make 2\nclones 0 : 1\n"
                                   "clones 2 : 0 1\nclones 3 : 0 1\n"
                                   "clones 5 : 0 1\n"
                                   "hints 0 : notcold cold\n");
  EXPECT_TRUE(A.isSafe());
  EXPECT_EQ(A.ColdToCold.Contexts, 1u);
}

// Each of two functions of one call could have called the other.
TEST(Audit, TailCallsInACycleEnd) {
  constexpr char Program[] = "thermocline-context-program 1\n"
                             "function main 1\nfunction a 1\nfunction b 1\n"
                             "callsite main a : 1\ncallsite main b : 1\n"
                             "callsite a b :\ncallsite b a :\n"
                             "allocation a\ncontext cold 8 : 1\n";
  EXPECT_EQ(auditOf(Program, "hints 0 : cold\n").ColdToCold.Contexts, 1u);
  EXPECT_EQ(auditOf(Program, "versions a 2\nclones 0 : 1\n"
                             "hints 0 : notcold cold\n")
                .ColdToNotCold.Contexts,
            1u);
}

} // namespace
