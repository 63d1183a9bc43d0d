//===- unit/Annotate/InlinedStackTest.cpp ---------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/InlinedStack.h"
#include "ParseIR.h"
#include "ProfileText.h"

using namespace llvm;
using namespace thermocline::annotate;

namespace {

constexpr char Text[] = R"(
declare void @g()
define void @_Z5outerv() !dbg !3 {
  call void @g(), !dbg !10
  call void @g(), !dbg !12
  call void @g()
  ret void
}
define void @_Z4bareiv() !dbg !5 {
  call void @g(), !dbg !14
  ret void
}
define void @nodebug() {
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "outer", linkageName: "_Z5outerv", file: !1, line: 10, unit: !0, type: !7)
!4 = distinct !DISubprogram(name: "inner", linkageName: "_ZL5innerv.__uniq.123", file: !1, line: 100, unit: !0, type: !7)
!5 = distinct !DISubprogram(name: "bare", file: !1, line: 20, unit: !0, type: !7)
!6 = distinct !DILexicalBlock(scope: !4, file: !1, line: 101, column: 1)
!7 = !DISubroutineType(types: !8)
!8 = !{}
!10 = !DILocation(line: 12, column: 3, scope: !3)
!11 = distinct !DILocation(line: 9, column: 5, scope: !3)
!12 = !DILocation(line: 103, column: 7, scope: !6, inlinedAt: !11)
!14 = !DILocation(line: 21, column: 1, scope: !5)
)";

TEST(InlinedStack, FramesAreInnermostFirstWithOffsetsFromTheirFunctions) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  InlinedStackReader Reader(*M);
  auto Calls = callsOf(*M, "_Z5outerv");

  InlinedStack Direct = Reader.read(*Calls[0]);
  ASSERT_EQ(Direct.size(), 1u);
  EXPECT_EQ(Direct[0].Function, memprof::getGUID("_Z5outerv"));
  EXPECT_EQ(Direct[0].LineOffset, 2u);
  EXPECT_EQ(Direct[0].Column, 3u);

  InlinedStack Inlined = Reader.read(*Calls[1]);
  ASSERT_EQ(Inlined.size(), 2u);
  EXPECT_EQ(Inlined[0].Function, memprof::getGUID("_ZL5innerv.__uniq.123"));
  EXPECT_EQ(Inlined[0].LineOffset, 3u);
  EXPECT_EQ(Inlined[1].Function, memprof::getGUID("_Z5outerv"));
  // A call above its function's line (macros, #line) wraps to 16 bits.
  EXPECT_EQ(Inlined[1].LineOffset, 0xffffu);

  EXPECT_TRUE(Reader.read(*Calls[2]).empty());
}

TEST(InlinedStack, TheFunctionsNameStandsInForALinkageName) {
  LLVMContext Context;
  auto M = parseIR(Context, Text);
  ASSERT_TRUE(M);
  InlinedStackReader Reader(*M);
  InlinedStack Stack = Reader.read(*callsOf(*M, "_Z4bareiv")[0]);
  ASSERT_EQ(Stack.size(), 1u);
  EXPECT_EQ(Stack[0].Function, memprof::getGUID("_Z4bareiv"));
  EXPECT_EQ(Reader.numWithoutLinkageName(), 1u);
  EXPECT_EQ(Reader.numDefinitions(), 3u);
  EXPECT_EQ(Reader.numWithDebugInfo(), 2u);
}

} // namespace
