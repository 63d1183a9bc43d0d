//===- unit/Annotate/AllocationFunctionsTest.cpp --------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/AllocationFunctions.h"
#include "ParseIR.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using namespace thermocline::annotate;

namespace {

AllocationVerdict verdict(StringRef Text) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  if (!M)
    return AllocationVerdict::NotByName;
  return classifyAllocationCall(*callsOf(*M, "f").front()).Verdict;
}

TEST(AllocationFunctions, TheTableIsIndexedByKindAndName) {
  StringSet<> Names;
  for (const AllocationFunction &Row : allocationFunctions()) {
    EXPECT_EQ(&allocationFunction(Row.Kind), &Row);
    EXPECT_EQ(findAllocationFunction(Row.Name), &Row);
    EXPECT_TRUE(Names.insert(Row.Name).second) << Row.Name.str();
  }
  EXPECT_EQ(findAllocationFunction("free"), nullptr);
  EXPECT_EQ(findAllocationFunction("malloc_cold"), nullptr);
}

TEST(AllocationFunctions, ColdVariantsOfOperatorNewAreRowsWithTheColdType) {
  LLVMContext Context;
  DataLayout Layout("e-p:64:64-i64:64");
  for (const AllocationFunction &Row : allocationFunctions()) {
    if (!Row.isOperatorNew()) {
      EXPECT_EQ(Row.ColdName, (Row.Name + "_cold").str());
      EXPECT_EQ(Row.coldType(Context, Layout), Row.type(Context, Layout));
      continue;
    }
    const AllocationFunction *Cold = findAllocationFunction(Row.ColdName);
    ASSERT_NE(Cold, nullptr) << Row.ColdName.str();
    EXPECT_EQ(Cold->Form, HintForm::OwnHint);
    EXPECT_EQ(Cold->type(Context, Layout), Row.coldType(Context, Layout));
  }
}

TEST(AllocationFunctions, PrototypesAreThoseOfLLVM) {
  LLVMContext Context;
  Module M("m", Context);
  M.setTargetTriple(Triple("x86_64-unknown-linux-gnu"));
  M.setDataLayout("e-p:64:64-i64:64");
  TargetLibraryInfoImpl Impl{M.getTargetTriple()};
  TargetLibraryInfo TLI(Impl);
  unsigned Known = 0;
  for (const AllocationFunction &Row : allocationFunctions()) {
    LibFunc Func;
    if (!TLI.getLibFunc(Row.Name, Func))
      continue;
    ++Known;
    auto *F = Function::Create(Row.type(Context, M.getDataLayout()),
                               Function::ExternalLinkage, Row.Name, M);
    EXPECT_TRUE(TLI.getLibFunc(*F, Func)) << Row.Name.str();
  }
  EXPECT_GT(Known, 20u);
}

TEST(AllocationFunctions, CallsAndInvokesCount) {
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() {\n"
                    "  %p = call ptr @malloc(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
  EXPECT_EQ(
      verdict("declare ptr @_Znwm(i64)\n"
              "declare i32 @p(...)\n"
              "define void @f() personality ptr @p {\n"
              "  %p = invoke ptr @_Znwm(i64 8) to label %a unwind label %b\n"
              "a:\n  ret void\n"
              "b:\n  %l = landingpad { ptr, i32 } cleanup\n"
              "  resume { ptr, i32 } %l\n}"),
      AllocationVerdict::Allocation);
}

TEST(AllocationFunctions, AnotherPrototypeDoesNotCount) {
  EXPECT_EQ(verdict("declare ptr @malloc(i32)\n"
                    "define void @f() {\n"
                    "  %p = call ptr @malloc(i32 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::OtherPrototype);
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() {\n"
                    "  %p = call ptr @malloc(i32 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::OtherPrototype);
}

TEST(AllocationFunctions, AProgramsOwnDoesNotCount) {
  EXPECT_EQ(verdict("define internal ptr @malloc(i64 %n) {\n"
                    "  ret ptr null\n}\n"
                    "define void @f() {\n"
                    "  %p = call ptr @malloc(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::DefinedHere);
  EXPECT_EQ(verdict("define ptr @_Znwm(i64 %n) {\n"
                    "  ret ptr null\n}\n"
                    "define void @f() {\n"
                    "  %p = call ptr @_Znwm(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::DefinedHere);
}

TEST(AllocationFunctions, NoBuiltinCounts) {
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() \"no-builtins\" {\n"
                    "  %p = call ptr @malloc(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() \"no-builtin-malloc\" {\n"
                    "  %p = call ptr @malloc(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() \"no-builtin-calloc\" {\n"
                    "  %p = call ptr @malloc(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
  EXPECT_EQ(verdict("declare ptr @malloc(i64)\n"
                    "define void @f() {\n"
                    "  %p = call ptr @malloc(i64 8) nobuiltin\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
}

TEST(AllocationFunctions, APlainCallOfOperatorNewCounts) {
  // clang declares every operator new nobuiltin; new-expressions override it.
  EXPECT_EQ(verdict("declare ptr @_Znwm(i64) nobuiltin\n"
                    "define void @f() {\n"
                    "  %p = call ptr @_Znwm(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
}

TEST(AllocationFunctions, AHintOfTheProgramIsItsOwn) {
  EXPECT_EQ(verdict("declare ptr @_Znwm12__hot_cold_t(i64, i8)\n"
                    "define void @f() {\n"
                    "  %p = call ptr @_Znwm12__hot_cold_t(i64 8, i8 3)\n"
                    "  ret void\n}"),
            AllocationVerdict::OwnHint);
}

TEST(AllocationFunctions, IndirectAndOtherCallsAreNone) {
  EXPECT_EQ(verdict("define void @f(ptr %q) {\n"
                    "  %p = call ptr %q(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::NotByName);
}

TEST(AllocationFunctions, ANamedResultStructureIsTheSameType) {
  EXPECT_EQ(verdict("%sized = type { ptr, i64 }\n"
                    "declare %sized @__size_returning_new(i64)\n"
                    "define void @f() {\n"
                    "  %p = call %sized @__size_returning_new(i64 8)\n"
                    "  ret void\n}"),
            AllocationVerdict::Allocation);
}

} // namespace
