//===- unit/Apply/FunctionClonerTest.cpp ----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/FunctionCloner.h"
#include "TestModule.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;
using namespace thermocline::apply;
using namespace thermocline::test;

namespace {

TEST(FunctionCloner, VersionsAreNamedAsLLVMNamesThem) {
  EXPECT_EQ(versionName("f", 0), "f");
  EXPECT_EQ(versionName("f.llvm.12", 3), "f.llvm.12.memprof.3");
}

TEST(FunctionCloner, AVersionIsHiddenAndInAComdatOfItsOwn) {
  TestModule M("$f = comdat any\n"
               "define weak_odr ptr @f() comdat {\n  ret ptr null\n}\n");
  auto Versions = FunctionCloner(*M).clone(M.function("f"), 3);
  ASSERT_TRUE(static_cast<bool>(Versions));
  ASSERT_EQ(Versions->size(), 3u);
  EXPECT_EQ(&(*Versions)[0], &M.function("f"));
  Function &Second = M.function("f.memprof.2");
  EXPECT_EQ(&(*Versions)[2], &Second);
  EXPECT_EQ(Second.getLinkage(), GlobalValue::WeakODRLinkage);
  EXPECT_TRUE(Second.hasHiddenVisibility());
  EXPECT_EQ(Second.getComdat()->getName(), "f.memprof.2");
  EXPECT_TRUE(M.function("f").hasDefaultVisibility());
  EXPECT_TRUE(M.verifies());
}

TEST(FunctionCloner, ALocalVersionStaysInTheGroup) {
  TestModule M("$group = comdat any\n"
               "define internal ptr @f() comdat($group) {\n"
               "  ret ptr null\n}\n"
               "define ptr @group() comdat {\n"
               "  %p = call ptr @f()\n  ret ptr %p\n}\n");
  ASSERT_FALSE(
      errorToBool(FunctionCloner(*M).clone(M.function("f"), 2).takeError()));
  EXPECT_TRUE(M.function("f.memprof.1").hasLocalLinkage());
  EXPECT_EQ(M.function("f.memprof.1").getComdat()->getName(), "group");
  EXPECT_TRUE(M.verifies());
}

TEST(FunctionCloner, CallsOfAVersionAreFoundByTheOriginals) {
  TestModule M("declare ptr @g()\n"
               "define ptr @f() {\n"
               "  %p = call ptr @g(), !callsite !0\n  ret ptr %p\n}\n"
               "!0 = !{i64 1}\n");
  Function &F = M.function("f");
  auto Versions = FunctionCloner(*M).clone(F, 2);
  ASSERT_TRUE(static_cast<bool>(Versions));
  CallBase &Copy = Versions->callIn(1, M.call(F));
  EXPECT_EQ(&Versions->callIn(0, M.call(F)), &M.call(F));
  EXPECT_EQ(Copy.getFunction(), &M.function("f.memprof.1"));
  EXPECT_FALSE(Copy.hasMetadata(LLVMContext::MD_callsite));
}

TEST(FunctionCloner, AliasesGetVersions) {
  TestModule M("@a = alias ptr (), ptr @f\n"
               "define ptr @f() {\n  ret ptr null\n}\n");
  ASSERT_FALSE(
      errorToBool(FunctionCloner(*M).clone(M.function("f"), 2).takeError()));
  GlobalAlias *Alias = M->getNamedAlias("a.memprof.1");
  ASSERT_TRUE(Alias);
  EXPECT_EQ(Alias->getAliasee(), &M.function("f.memprof.1"));
  EXPECT_TRUE(Alias->hasHiddenVisibility());
}

TEST(FunctionCloner, DebugInformationNamesTheVersion) {
  TestModule M(
      "define void @_Z1fv() !dbg !4 {\n  ret void\n}\n"
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, "
      "emissionKind: LineTablesOnly)\n"
      "!1 = !DIFile(filename: \"f.cpp\", directory: \"/\")\n"
      "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!3 = !DISubroutineType(types: !{})\n"
      "!4 = distinct !DISubprogram(name: \"f\", linkageName: \"_Z1fv\", scope: "
      "!1, file: !1, line: 1, type: !3, unit: !0, spFlags: "
      "DISPFlagDefinition)\n");
  ASSERT_FALSE(errorToBool(
      FunctionCloner(*M).clone(M.function("_Z1fv"), 2).takeError()));
  EXPECT_EQ(M.function("_Z1fv.memprof.1").getSubprogram()->getLinkageName(),
            "_Z1fv.memprof.1");
  EXPECT_EQ(M.function("_Z1fv").getSubprogram()->getLinkageName(), "_Z1fv");
  EXPECT_EQ(M.function("_Z1fv.memprof.1").getSubprogram()->getName(), "f");
  EXPECT_TRUE(M.verifies());
}

TEST(FunctionCloner, ATakenNameIsAnErrorThatLeavesTheModuleAsItWas) {
  TestModule M("declare void @f.memprof.2()\n"
               "define void @f() {\n  ret void\n}\n");
  EXPECT_EQ(toString(FunctionCloner(*M).clone(M.function("f"), 3).takeError()),
            "test.o: f.memprof.2: a symbol of this name is there already, and "
            "a version of f must take it");
  EXPECT_FALSE(M->getFunction("f.memprof.1"));
}

} // namespace
