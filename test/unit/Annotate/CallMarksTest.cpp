//===- unit/Annotate/CallMarksTest.cpp - Marks reach the link -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "ParseIR.h"

using namespace llvm;
using namespace thermocline::annotate;

namespace {

constexpr const char *Text =
    "@pointer = global ptr null\n"
    "define void @coroutine() presplitcoroutine { ret void }\n"
    "define void @jumps() {\n"
    "  %p = load ptr, ptr @pointer\n"
    "  musttail call void %p(), !callsite !0\n  ret void\n}\n"
    "define void @forwards() {\n"
    "  musttail call void @jumps(), !callsite !1\n  ret void\n}\n"
    "!0 = !{i64 1, i64 2}\n!1 = !{i64 3}\n";

/// What a link reads of \p M.
CallMarks marksIn(const Module &M) {
  CallMarks Marks;
  for (const GlobalVariable &Variable : M.globals())
    cantFail(Marks.addIn(Variable.getName()));
  return Marks;
}

void expectMarks(const CallMarks &Marks) {
  const uint64_t Jump[] = {1, 2}, Forward[] = {3}, Other[] = {1};
  EXPECT_TRUE(Marks.isThroughPointer(Jump));
  EXPECT_FALSE(Marks.isThroughPointer(Forward));
  EXPECT_FALSE(Marks.isThroughPointer(Other));
  EXPECT_TRUE(Marks.isMustTail(Forward));
  EXPECT_TRUE(Marks.hasTailCallsLike(Jump));
  EXPECT_TRUE(Marks.isCoroutine("coroutine"));
  EXPECT_FALSE(Marks.isCoroutine("jumps"));
  EXPECT_TRUE(Marks.leavesThroughPointer("jumps"));
  EXPECT_FALSE(Marks.leavesThroughPointer("forwards"));
  EXPECT_TRUE(Marks.endsInCallOf("forwards", "jumps"));
  EXPECT_FALSE(Marks.endsInCallOf("jumps", "forwards"));
}

// Of most functions the linkage says it; of these the body does.
TEST(CallMarks, SayWhatMayBeCloned) {
  LLVMContext Context;
  auto M = parseIR(
      Context,
      "@site = internal global i32 0, section \"sites\"\n"
      "@table = internal constant [1 x ptr] [ptr @site]\n"
      "define void @plain() {\n  ret void\n}\n"
      "define void @logs() {\n  store i32 1, ptr @site\n  ret void\n}\n"
      "define i32 @walks() {\n"
      "  %v = load i32, ptr getelementptr (i8, ptr @site, i64 1)\n"
      "  ret i32 %v\n}\n"
      "define void @pauses() {\n"
      "  call void asm sideeffect \"pause\", \"\"()\n  ret void\n}\n"
      "define void @defines() {\n"
      "  call void asm sideeffect \"probe: nop\", \"\"()\n  ret void\n}\n"
      "define dso_local void @bound() {\n  ret void\n}\n"
      "define weak void @weak() {\n  ret void\n}\n");
  ASSERT_TRUE(M);
  auto Check = [&](bool Interposes) {
    const CallMarks Marks(*M);
    for (const char *Name : {"logs", "walks", "pauses"}) {
      EXPECT_EQ(Marks.isClonable(Name), !Interposes) << Name;
      EXPECT_EQ(Marks.isUnclonable(Name), Interposes) << Name;
    }
    EXPECT_FALSE(Marks.isClonable("plain"));
    EXPECT_EQ(Marks.isUnclonable("plain"), Interposes);
    EXPECT_TRUE(Marks.isUnclonable("defines"));
    for (const char *Name : {"bound", "weak"})
      EXPECT_FALSE(Marks.isUnclonable(Name)) << Name;
    EXPECT_FALSE(Marks.isClonable(""));
    EXPECT_TRUE(Marks.isUnclonable(""));
  };
  Check(false);
  M->setSemanticInterposition(true);
  Check(true);
}

TEST(CallMarks, DoNotDependOnTheModule) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  CallMarks(*M).note(*M);
  expectMarks(marksIn(*M));

  auto Local = parseIR(Context, Text);
  Local->setSourceFileName("llvm-link");
  for (Function &F : *Local)
    F.setLinkage(GlobalValue::InternalLinkage);
  CallMarks(*Local).note(*Local);
  EXPECT_EQ(std::prev(M->global_end())->getName(),
            std::prev(Local->global_end())->getName());
}

// clang renames local functions where it splits a module, after all else.
TEST(CallMarks, HoldForFunctionsOfSplitModules) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  CallMarks(*M).note(*M);
  const CallMarks Marks = marksIn(*M);
  auto Renamed = [](const char *Name) {
    return std::string(Name) + ".0123456789abcdef0123456789abcdef";
  };
  EXPECT_TRUE(Marks.isCoroutine(Renamed("coroutine")));
  EXPECT_TRUE(Marks.leavesThroughPointer(Renamed("jumps")));
  EXPECT_TRUE(Marks.endsInCallOf(Renamed("forwards"), Renamed("jumps")));
  EXPECT_FALSE(Marks.isCoroutine(Renamed("jumps")));
}

// What has lost its name may be anything that is marked, and nothing that is
// not.
TEST(CallMarks, HoldForFunctionsWithoutNames) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  CallMarks(*M).note(*M);
  const CallMarks Some = marksIn(*M), None;
  for (StringRef Name : {"", "anon.0123456789abcdef0123456789abcdef.7"}) {
    EXPECT_TRUE(Some.isCoroutine(Name));
    EXPECT_TRUE(Some.leavesThroughPointer(Name));
    EXPECT_TRUE(Some.endsInCallOf(Name, "jumps"));
    EXPECT_TRUE(Some.endsInCallOf("forwards", Name));
    EXPECT_FALSE(None.isCoroutine(Name));
    EXPECT_FALSE(None.leavesThroughPointer(Name));
    EXPECT_FALSE(None.endsInCallOf(Name, "jumps"));
  }
}

TEST(CallMarks, StayWhereNothingRefersToThem) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  CallMarks(*M).note(*M);
  const GlobalVariable &Variable = *std::prev(M->global_end());
  EXPECT_FALSE(Variable.isDiscardableIfUnused());
  EXPECT_FALSE(Variable.hasLocalLinkage());
  EXPECT_TRUE(Variable.hasHiddenVisibility());
  EXPECT_EQ(Variable.getSection(), "llvm.metadata");
}

} // namespace
