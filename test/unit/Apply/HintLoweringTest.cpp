//===- unit/Apply/HintLoweringTest.cpp ------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/HintLowering.h"
#include "TestModule.h"

using namespace llvm;
using namespace thermocline::apply;
using namespace thermocline::test;

namespace {

ApplyStatistics lower(TestModule &M) {
  ApplyStatistics Statistics;
  HintLowering(*M, {}, Statistics).run();
  EXPECT_TRUE(M.verifies());
  return Statistics;
}

uint64_t kept(const ApplyStatistics &S, NotLowered Reason) {
  return S.NotLoweredBy[static_cast<unsigned>(Reason)];
}

TEST(HintLowering, OnlyMarkedCallsChange) {
  TestModule M("declare ptr @malloc(i64)\n"
               "define void @f() {\n"
               "  %a = call ptr @malloc(i64 1)\n"
               "  %b = call ptr @malloc(i64 1) \"memprof\"=\"notcold\"\n"
               "  %c = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
               "  ret void\n}\n");
  EXPECT_EQ(lower(M).allLowered(), 1u);
  Function &F = M.function("f");
  EXPECT_EQ(M.call(F, 0).getCalledFunction()->getName(), "malloc");
  EXPECT_EQ(M.call(F, 1).getCalledFunction()->getName(), "malloc");
  EXPECT_EQ(M.call(F, 2).getCalledFunction()->getName(), "malloc_cold");
}

TEST(HintLowering, AProgramsOwnAllocatorIsLeftAlone) {
  TestModule M("define ptr @malloc(i64 %n) {\n  ret ptr null\n}\n"
               "define void @f() {\n"
               "  %a = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
               "  ret void\n}\n");
  EXPECT_EQ(kept(lower(M), NotLowered::OwnAllocator), 1u);
}

TEST(HintLowering, AFallbackDoesNotCallItself) {
  TestModule M("declare ptr @malloc(i64)\n"
               "define ptr @malloc_cold.memprof.1(i64 %n) {\n"
               "  %a = call ptr @malloc(i64 %n) \"memprof\"=\"cold\"\n"
               "  ret ptr %a\n}\n"
               "define ptr @malloc_cold(i64 %n) {\n"
               "  %a = call ptr @malloc(i64 %n) \"memprof\"=\"cold\"\n"
               "  ret ptr %a\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(S.allLowered(), 0u);
  EXPECT_EQ(kept(S, NotLowered::OwnAllocator), 2u);
}

TEST(HintLowering, NoBuiltinAndOwnHintsAndOthersAreCounted) {
  TestModule M(
      "declare ptr @malloc(i64)\n"
      "declare ptr @pool(i64)\n"
      "declare ptr @_Znwm12__hot_cold_t(i64, i8)\n"
      "define void @f(ptr %g) {\n"
      "  %a = call ptr @malloc(i64 1) nobuiltin \"memprof\"=\"cold\"\n"
      "  %b = call ptr @pool(i64 1) \"memprof\"=\"cold\"\n"
      "  %c = call ptr %g(i64 1) \"memprof\"=\"cold\"\n"
      "  %d = call ptr @_Znwm12__hot_cold_t(i64 1, i8 3) \"memprof\"=\"cold\"\n"
      "  ret void\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(S.allLowered(), 0u);
  EXPECT_EQ(kept(S, NotLowered::NoBuiltin), 1u);
  EXPECT_EQ(kept(S, NotLowered::UnknownFunction), 2u);
  EXPECT_EQ(kept(S, NotLowered::OwnHint), 1u);
}

TEST(HintLowering, AMustTailCallKeepsItsPrototype) {
  TestModule M("declare ptr @_Znwm(i64)\ndeclare ptr @malloc(i64)\n"
               "define ptr @f(i64 %n) {\n"
               "  %a = musttail call ptr @_Znwm(i64 %n) \"memprof\"=\"cold\"\n"
               "  ret ptr %a\n}\n"
               "define ptr @g(i64 %n) {\n"
               "  %a = musttail call ptr @malloc(i64 %n) \"memprof\"=\"cold\"\n"
               "  ret ptr %a\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(kept(S, NotLowered::MustTail), 1u);
  EXPECT_EQ(S.allLowered(), 1u);
}

TEST(HintLowering, ANameTakenBySomethingElseIsNotCalled) {
  TestModule M("@malloc_cold = external global i32\n"
               "declare ptr @malloc(i64)\n"
               "define void @f() {\n"
               "  %a = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
               "  ret void\n}\n");
  EXPECT_EQ(kept(lower(M), NotLowered::OwnAllocator), 1u);
}

TEST(HintLowering, EveryReasonHasAText) {
  for (unsigned I = 0; I != NumNotLowered; ++I)
    EXPECT_FALSE(describe(static_cast<NotLowered>(I)).empty());
}

} // namespace
