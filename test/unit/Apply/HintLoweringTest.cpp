//===- unit/Apply/HintLoweringTest.cpp ------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/HintLowering.h"
#include "TestModule.h"
#include "llvm/IR/InstIterator.h"

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

TEST(HintLowering, OwnHintsAndOthersAreCounted) {
  TestModule M(
      "declare ptr @pool(i64)\n"
      "declare ptr @_Znwm12__hot_cold_t(i64, i8)\n"
      "define void @f(ptr %g) {\n"
      "  %b = call ptr @pool(i64 1) \"memprof\"=\"cold\"\n"
      "  %c = call ptr %g(i64 1) \"memprof\"=\"cold\"\n"
      "  %d = call ptr @_Znwm12__hot_cold_t(i64 1, i8 3) \"memprof\"=\"cold\"\n"
      "  ret void\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(S.allLowered(), 0u);
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

TEST(HintLowering, WithoutBuiltinsCallsAreHintedAndNothingIsKnownOfThem) {
  TestModule M(
      "declare ptr @malloc(i64)\n"
      "declare ptr @calloc(i64, i64) nobuiltin\n"
      "declare ptr @_Znwm(i64) nobuiltin\n"
      "define void @all() \"no-builtins\" {\n"
      "  %a = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
      "  %b = call ptr @_Znwm(i64 1) \"memprof\"=\"cold\"\n"
      "  ret void\n}\n"
      "define void @one() \"no-builtin-malloc\" {\n"
      "  %a = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
      "  %b = call ptr @_Znwm(i64 1) \"memprof\"=\"cold\"\n"
      "  ret void\n}\n"
      "define void @plain() {\n"
      "  %a = call ptr @malloc(i64 1) \"memprof\"=\"cold\"\n"
      "  ret void\n}\n"
      "define void @call() personality ptr null {\n"
      "  %a = call ptr @malloc(i64 1) nobuiltin \"memprof\"=\"cold\"\n"
      "  %b = call ptr @calloc(i64 1, i64 1) \"memprof\"=\"cold\"\n"
      "  %c = invoke ptr @malloc(i64 1) nobuiltin \"memprof\"=\"cold\"\n"
      "    to label %end unwind label %pad\n"
      "pad:\n  %l = landingpad { ptr, i32 } cleanup\n  br label %end\n"
      "end:\n  ret void\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(S.allLowered(), 8u);
  // LLVM is to know malloc in one function only.
  auto Knows = [&](StringRef Function, unsigned Call) {
    return M.call(M.function(Function), Call)
        .getFnAttr(Attribute::AllocKind)
        .isValid();
  };
  EXPECT_FALSE(Knows("all", 0));
  EXPECT_FALSE(Knows("one", 0));
  EXPECT_FALSE(Knows("call", 0));
  EXPECT_FALSE(Knows("call", 1));
  EXPECT_TRUE(Knows("plain", 0));
  EXPECT_EQ(M.call(M.function("plain"), 0).getCalledFunction()->getName(),
            "malloc_cold");
  EXPECT_EQ(M.call(M.function("all"), 1).getCalledFunction()->getName(),
            "_Znwm12__hot_cold_t");
}

TEST(HintLowering, FunctionsOfTheProgramsOwnAreReplacedByTheirVariants) {
  TestModule M(
      "declare noalias ptr @pool(i32, i64) \"alloc-family\"=\"pool\"\n"
      "declare ptr @typed(i64)\n"
      "declare void @typed_cold()\n"
      "declare ptr @missing(i64)\n"
      "declare ptr @wrapped(i64)\n"
      "define void @f() \"no-builtins\" personality ptr null {\n"
      "  %a = call ptr @pool(i32 3, i64 1) nobuiltin \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"pool_cold\"\n"
      "  %b = call ptr @pool(i32 3, i64 1) \"memprof\"=\"notcold\" "
      "\"alloc-variant-cold\"=\"pool_cold\"\n"
      "  %c = call ptr @typed(i64 1) \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"typed_cold\"\n"
      "  %d = call ptr @missing(i64 1) \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"missing_cold\"\n"
      "  %e = call ptr @wrapped(i64 1) \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"wrapped_cold\"\n"
      "  %g = invoke ptr @pool(i32 4, i64 1) \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"pool_cold\"\n"
      "    to label %end unwind label %pad\n"
      "pad:\n  %l = landingpad { ptr, i32 } cleanup\n  br label %end\n"
      "end:\n  ret void\n}\n"
      // It may do its work by way of the plain one.
      "define ptr @pool_cold.memprof.1(i32 %t, i64 %n) {\n"
      "  %a = call ptr @pool(i32 %t, i64 %n) \"memprof\"=\"cold\" "
      "\"alloc-variant-cold\"=\"pool_cold\"\n"
      "  ret ptr %a\n}\n");
  ApplyStatistics S;
  HintOptions Options;
  Options.MissingVariants = {"missing_cold"};
  Options.Redefined = {"wrapped"};
  EXPECT_TRUE(HintLowering(*M, Options, S).run());
  EXPECT_TRUE(M.verifies());
  EXPECT_EQ(S.LoweredNamed, (std::map<std::string, uint64_t>{{"pool", 2}}));
  EXPECT_EQ(S.allLowered(), 2u);
  EXPECT_EQ(kept(S, NotLowered::UnfitVariant), 1u);
  EXPECT_EQ(kept(S, NotLowered::NoVariant), 1u);
  EXPECT_EQ(kept(S, NotLowered::Redefined), 1u);
  EXPECT_EQ(kept(S, NotLowered::OwnAllocator), 1u);
  Function &F = M.function("f");
  EXPECT_EQ(M.call(F, 0).getCalledFunction()->getName(), "pool_cold");
  EXPECT_EQ(M.call(F, 1).getCalledFunction()->getName(), "pool");
  EXPECT_EQ(M.call(F, 5).getCalledFunction()->getName(), "pool_cold");
  for (unsigned I = 0; I != 6; ++I)
    EXPECT_FALSE(M.call(F, I).hasFnAttr("alloc-variant-cold"));
  Function &Cold = M.function("pool_cold");
  EXPECT_EQ(Cold.getFnAttribute("alloc-family").getValueAsString(), "pool");
  EXPECT_TRUE(Cold.returnDoesNotAlias());
}

TEST(HintLowering, EveryReasonHasAText) {
  for (unsigned I = 0; I != NumNotLowered; ++I)
    EXPECT_FALSE(describe(static_cast<NotLowered>(I)).empty());
}

/// The functions that \p F calls directly.
std::vector<std::string> calledBy(const Function &F) {
  std::vector<std::string> Names;
  for (const Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->getCalledFunction())
      Names.push_back(Call->getCalledFunction()->getName().str());
  return Names;
}

TEST(HintLowering, APointerIsComparedWithWhatItMayBe) {
  TestModule M("define ptr @f(ptr %p, ptr %q) {\n"
               "  %a = call ptr %p(i64 1) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"malloc\"\n"
               "  %b = call ptr %q(ptr %a, i64 2) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"realloc\"\n"
               "  %c = call ptr %p(i64 3) \"memprof\"=\"notcold\" "
               "\"alloc-behind-pointer\"=\"malloc\"\n"
               "  ret ptr %b\n}\n");
  EXPECT_EQ(lower(M).allLowered(), 2u);
  EXPECT_EQ(calledBy(M.function("f")),
            (std::vector<std::string>{"malloc_cold", "realloc_cold"}));
  for (StringRef Plain : {"malloc", "realloc"}) {
    auto *Compare = dyn_cast<ICmpInst>(M.function(Plain).user_back());
    ASSERT_TRUE(Compare) << Plain.str();
    EXPECT_TRUE(M.function(Plain).hasOneUse());
  }
}

TEST(HintLowering, APointerMayBeOfSeveralFunctions) {
  TestModule M("define ptr @f(ptr %p) personality ptr null {\n"
               "  %a = invoke ptr %p(i64 1) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"_Znwm,malloc\"\n"
               "          to label %ok unwind label %bad\n"
               "ok:\n"
               "  ret ptr %a\n"
               "bad:\n"
               "  %l = landingpad { ptr, i32 } cleanup\n"
               "  resume { ptr, i32 } %l\n}\n");
  EXPECT_EQ(lower(M).allLowered(), 2u);
  EXPECT_EQ(calledBy(M.function("f")),
            (std::vector<std::string>{"_Znwm12__hot_cold_t", "malloc_cold"}));
}

TEST(HintLowering, PointersOfOtherTypesAndOwnAllocatorsStay) {
  TestModule M("define ptr @malloc(i64 %n) {\n  ret ptr null\n}\n"
               "define ptr @f(ptr %p) {\n"
               "  %a = call ptr %p(i64 1) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"malloc\"\n"
               "  %b = call ptr %p(i32 1) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"malloc\"\n"
               "  ret ptr %b\n}\n"
               "define ptr @calloc_cold(ptr %p) {\n"
               "  %a = call ptr %p(i64 1, i64 2) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"calloc\"\n"
               "  ret ptr %a\n}\n");
  ApplyStatistics S = lower(M);
  EXPECT_EQ(S.allLowered(), 0u);
  EXPECT_EQ(kept(S, NotLowered::UnknownFunction), 3u);
}

TEST(HintLowering, APointerIsNotComparedWithWhatTheLinkerRedirects) {
  TestModule M("define ptr @f(ptr %p) {\n"
               "  %a = call ptr %p(i64 1) \"memprof\"=\"cold\" "
               "\"alloc-behind-pointer\"=\"malloc\"\n"
               "  ret ptr %a\n}\n");
  ApplyStatistics S;
  HintOptions Options;
  Options.Redefined = {"malloc"};
  HintLowering(*M, Options, S).run();
  EXPECT_EQ(S.allLowered(), 0u);
}

TEST(HintLowering, OperatorsOfTheProgramMakeHintsUnsure) {
  using thermocline::annotate::AllocationKind;
  using thermocline::annotate::CalledAllocator;
  auto ByName = [](AllocationKind Kind) {
    return CalledAllocator{CalledAllocator::Way::ByName,
                           1u << static_cast<unsigned>(Kind)};
  };
  HintOptions Options;
  EXPECT_TRUE(isSureToBeHinted(ByName(AllocationKind::New), Options));
  Options.HasOwnOperators = true;
  EXPECT_FALSE(isSureToBeHinted(ByName(AllocationKind::New), Options));
  EXPECT_FALSE(isSureToBeHinted(ByName(AllocationKind::NewArray), Options));
  EXPECT_FALSE(
      isSureToBeHinted(ByName(AllocationKind::SizeReturningNew), Options));
  EXPECT_FALSE(isSureToBeHinted(CalledAllocator(), Options));
  EXPECT_TRUE(isSureToBeHinted(ByName(AllocationKind::NewAligned), Options));
  EXPECT_TRUE(isSureToBeHinted(ByName(AllocationKind::Malloc), Options));
  Options.HasOwnAlignedOperators = true;
  EXPECT_FALSE(isSureToBeHinted(ByName(AllocationKind::NewAligned), Options));
}

} // namespace
