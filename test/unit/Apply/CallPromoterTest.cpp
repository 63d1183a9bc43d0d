//===- Apply/CallPromoterTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CallPromoter.h"
#include "TestModule.h"
#include "llvm/ProfileData/InstrProf.h"

using namespace llvm;
using namespace thermocline::apply;
using namespace thermocline::test;

namespace {

unsigned numFunctions(const Module &M) { return M.getFunctionList().size(); }

TEST(CallPromoter, ComparesWithTheTargetAndCallsTheVersion) {
  TestModule M(
      "declare ptr @t(i64)\n"
      "declare ptr @t.memprof.1(i64)\n"
      "define ptr @f(ptr %p) {\n"
      "  %r = call ptr %p(i64 1), !prof !0\n"
      "  ret ptr %r\n}\n"
      "!0 = !{!\"VP\", i32 0, i64 100, i64 7, i64 60, i64 8, i64 30}\n");
  CallBase &Call = M.call(M.function("f"));
  CallBase &Direct =
      promoteToVersion(Call, M.function("t"), M.function("t.memprof.1"), 7);
  EXPECT_TRUE(M.verifies());
  EXPECT_EQ(Direct.getCalledFunction(), &M.function("t.memprof.1"));
  EXPECT_FALSE(Direct.hasMetadata(LLVMContext::MD_prof));
  EXPECT_TRUE(Call.isIndirectCall());
  EXPECT_EQ(numFunctions(*M), 3u);
  auto *Compare = cast<ICmpInst>(M.function("t").user_back());
  EXPECT_EQ(Compare->getOperand(0), M.function("f").getArg(0));
  uint64_t Total;
  auto Left =
      getValueProfDataFromInst(Call, IPVK_IndirectCallTarget, 10, Total);
  EXPECT_EQ(Total, 40u);
  ASSERT_EQ(Left.size(), 1u);
  EXPECT_EQ(Left[0].Value, 8u);
  EXPECT_EQ(Left[0].Count, 30u);
}

TEST(CallPromoter, TakesTargetsOfAnyTypeAndWithoutProfile) {
  TestModule M("declare void @t(ptr, ptr, double)\n"
               "declare void @t.memprof.1(ptr, ptr, double)\n"
               "define ptr @f(ptr %p) {\n"
               "  %r = call ptr %p(i64 1)\n"
               "  ret ptr %r\n}\n");
  CallBase &Call = M.call(M.function("f"));
  CallBase &Direct =
      promoteToVersion(Call, M.function("t"), M.function("t.memprof.1"), 7);
  EXPECT_TRUE(M.verifies());
  EXPECT_EQ(Direct.getFunctionType(), Call.getFunctionType());
  EXPECT_EQ(Direct.getCalledOperand(), &M.function("t.memprof.1"));
}

TEST(CallPromoter, KeepsInvokesAndMustTailCalls) {
  TestModule M("declare ptr @t(i64)\n"
               "declare ptr @t.memprof.1(i64)\n"
               "declare i32 @__gxx_personality_v0(...)\n"
               "define ptr @f(ptr %p) personality ptr @__gxx_personality_v0 {\n"
               "  %r = invoke ptr %p(i64 1) to label %ok unwind label %bad\n"
               "ok:\n  ret ptr %r\n"
               "bad:\n"
               "  %l = landingpad { ptr, i32 } cleanup\n"
               "  resume { ptr, i32 } %l\n}\n"
               "define ptr @g(i64 %n) {\n"
               "  %p = inttoptr i64 %n to ptr\n"
               "  %r = musttail call ptr %p(i64 %n)\n"
               "  ret ptr %r\n}\n");
  EXPECT_TRUE(isa<InvokeInst>(promoteToVersion(
      M.call(M.function("f")), M.function("t"), M.function("t.memprof.1"), 7)));
  EXPECT_TRUE(promoteToVersion(M.call(M.function("g")), M.function("t"),
                               M.function("t.memprof.1"), 7)
                  .isMustTailCall());
  EXPECT_TRUE(M.verifies());
}

TEST(CallPromoter, MakesNoWeightsOfTargetsWithoutCount) {
  TestModule M("declare ptr @t(i64)\n"
               "declare ptr @t.memprof.1(i64)\n"
               "define ptr @f(ptr %p) {\n"
               "  %r = call ptr %p(i64 1), !prof !0\n"
               "  ret ptr %r\n}\n"
               "!0 = !{!\"VP\", i32 0, i64 1, i64 7, i64 0, i64 8, i64 0}\n");
  CallBase &Call = M.call(M.function("f"));
  promoteToVersion(Call, M.function("t"), M.function("t.memprof.1"), 7);
  EXPECT_TRUE(M.verifies());
  auto *Compare = cast<ICmpInst>(M.function("t").user_back());
  EXPECT_FALSE(cast<Instruction>(Compare->user_back())
                   ->hasMetadata(LLVMContext::MD_prof));
  EXPECT_TRUE(dropUncountedTargets(Call));
  EXPECT_FALSE(Call.hasMetadata(LLVMContext::MD_prof));
  EXPECT_FALSE(dropUncountedTargets(Call));
}

TEST(CallPromoter, DropsNothingThatWasCounted) {
  TestModule M("define ptr @f(ptr %p) {\n"
               "  %r = call ptr %p(i64 1), !prof !0\n"
               "  ret ptr %r\n}\n"
               "!0 = !{!\"VP\", i32 0, i64 50, i64 7, i64 -1, i64 8, i64 30, "
               "i64 9, i64 0}\n");
  CallBase &Call = M.call(M.function("f"));
  EXPECT_TRUE(dropUncountedTargets(Call));
  EXPECT_EQ(
      cast<MDNode>(Call.getMetadata(LLVMContext::MD_prof))->getNumOperands(),
      7u);
  EXPECT_FALSE(dropUncountedTargets(Call));
}

} // namespace
