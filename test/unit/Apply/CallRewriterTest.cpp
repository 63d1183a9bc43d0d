//===- unit/Apply/CallRewriterTest.cpp ------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CallRewriter.h"
#include "TestModule.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"

using namespace llvm;
using namespace thermocline::apply;
using namespace thermocline::test;

namespace {

constexpr StringLiteral Text = "declare fastcc ptr @g(i64 noundef) nounwind\n"
                               "declare ptr @malloc(i64)\n"
                               "define ptr @f() {\n"
                               "  %p = call fastcc ptr @g(i64 1)\n"
                               "  %q = call ptr @malloc(i64 2)\n"
                               "  ret ptr %q\n}\n";

/// f with two versions: the calls of g as \p Clones says, malloc cold in the
/// second.
Error rewrite(TestModule &M, ArrayRef<unsigned> Clones,
              ApplyStatistics &Statistics) {
  Function &F = M.function("f");
  auto Versions = FunctionCloner(*M).clone(F, 2);
  if (!Versions)
    return Versions.takeError();
  MatchedFunction Matched;
  Matched.F = &F;
  Matched.NumVersions = 2;
  Matched.Calls.push_back({&M.call(F, 0), Clones});
  Matched.Allocations.push_back({&M.call(F, 1), {1, 2}});
  OptimizationRemarkEmitter Remarks(&F);
  return CallRewriter(*M, Statistics).rewrite(Matched, *Versions, Remarks);
}

TEST(CallRewriter, EachVersionCallsWhatWasDecided) {
  TestModule M(Text);
  ApplyStatistics S;
  const unsigned Clones[] = {0, 3};
  ASSERT_FALSE(errorToBool(rewrite(M, Clones, S)));
  Function &F = M.function("f"), &F1 = M.function("f.memprof.1");
  EXPECT_EQ(M.call(F, 0).getCalledFunction()->getName(), "g");
  EXPECT_EQ(M.call(F1, 0).getCalledFunction()->getName(), "g.memprof.3");
  EXPECT_EQ(M.call(F, 1).getFnAttr("memprof").getValueAsString(), "notcold");
  EXPECT_EQ(M.call(F1, 1).getFnAttr("memprof").getValueAsString(), "cold");
  EXPECT_EQ(S.CallsRedirected, 1u);
  EXPECT_TRUE(M.verifies());
}

TEST(CallRewriter, ADeclaredVersionIsLikeItsFunction) {
  TestModule M(Text);
  ApplyStatistics S;
  const unsigned Clones[] = {1, 1};
  ASSERT_FALSE(errorToBool(rewrite(M, Clones, S)));
  Function &G = M.function("g.memprof.1");
  EXPECT_TRUE(G.isDeclaration());
  EXPECT_TRUE(G.hasHiddenVisibility());
  EXPECT_EQ(G.getCallingConv(), CallingConv::Fast);
  EXPECT_TRUE(G.hasFnAttribute(Attribute::NoUnwind));
  EXPECT_TRUE(G.hasParamAttribute(0, Attribute::NoUndef));
  EXPECT_EQ(S.CallsRedirected, 2u);
}

TEST(CallRewriter, AVersionThatIsNotMadeIsAnError) {
  TestModule M("define fastcc ptr @g(i64 %n) {\n  ret ptr null\n}\n"
               "declare ptr @malloc(i64)\n"
               "define ptr @f() {\n"
               "  %p = call fastcc ptr @g(i64 1)\n"
               "  %q = call ptr @malloc(i64 2)\n"
               "  ret ptr %q\n}\n");
  ApplyStatistics S;
  const unsigned Clones[] = {0, 1};
  EXPECT_EQ(toString(rewrite(M, Clones, S)),
            "test.o: g.memprof.1: is called, but the index decides on fewer "
            "versions of g");
}

} // namespace
