//===- Instrument/AccessAnalysisTest.cpp - Which accesses are counted -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/AccessAnalysis.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace thermocline::instrument;

namespace {
class AccessAnalysisTest : public testing::Test {
protected:
  /// Analyzes the function @f of \p Text.
  FunctionAccesses analyze(StringRef Text) {
    SMDiagnostic Error;
    M = parseAssemblyString(Text, Error, Context);
    if (!M) {
      ADD_FAILURE() << Error.getMessage().str();
      return {};
    }
    AnalysisOptions How;
    How.MostInlineBytes = 64;
    return AccessAnalysis(How).analyze(*M->getFunction("f"));
  }

  uint64_t skipped(const FunctionAccesses &A, SkipReason Reason) {
    return A.Skipped[static_cast<unsigned>(Reason)];
  }

  LLVMContext Context;
  std::unique_ptr<Module> M;
};
} // namespace

TEST_F(AccessAnalysisTest, ListsAccessesInProgramOrder) {
  FunctionAccesses A = analyze(R"(
    define void @f(ptr %p, ptr %q) {
      store i32 1, ptr %p
      %v = load i64, ptr %q
      %w = atomicrmw add ptr %p, i32 1 seq_cst
      ret void
    })");
  ASSERT_EQ(A.Updates.size(), 3u);
  EXPECT_EQ(A.Reads, 1u);
  EXPECT_EQ(A.Writes, 2u);
  EXPECT_EQ(A.Updates[0].Address->getName(), "p");
  EXPECT_EQ(A.Updates[1].Address->getName(), "q");
  EXPECT_EQ(A.Updates[2].Before->getName(), "w");
  EXPECT_EQ(A.Updates[2].Accesses, 1u);
  EXPECT_TRUE(A.Ranges.empty());
}

TEST_F(AccessAnalysisTest, LooksThroughLongAddressArithmetic) {
  std::string Text = "define void @f(i64 %i) {\n  %p0 = alloca [9999 x i8]\n";
  for (int I = 0; I != 50; ++I)
    Text += "  %p" + std::to_string(I + 1) + " = getelementptr i8, ptr %p" +
            std::to_string(I) + ", i64 %i\n";
  FunctionAccesses A = analyze(Text + "  store i8 0, ptr %p50\n  ret void\n}");
  EXPECT_TRUE(A.empty());
  EXPECT_EQ(skipped(A, SkipReason::Stack), 1u);
}

TEST_F(AccessAnalysisTest, CountsWhatMayBeTheHeap) {
  FunctionAccesses A = analyze(R"(
    @g = global ptr null
    declare ptr @make(ptr)
    define void @f(i1 %c, ptr %h) {
      %a = alloca i32
      %loaded = load ptr, ptr @g
      store i32 1, ptr %loaded
      %made = call ptr @make(ptr %a)
      store i32 1, ptr %made
      %either = select i1 %c, ptr @g, ptr %h
      store i32 1, ptr %either
      %cast = inttoptr i64 4096 to ptr
      store i32 1, ptr %cast
      ret void
    })");
  EXPECT_EQ(A.Updates.size(), 4u);
  EXPECT_EQ(skipped(A, SkipReason::Global), 1u);
}

TEST_F(AccessAnalysisTest, ARangeCountsIfEitherSideMayBeTheHeap) {
  FunctionAccesses A = analyze(R"(
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    @g = constant [8 x i8] zeroinitializer
    define void @f(ptr %h) {
      %a = alloca i64
      call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr @g, i64 800, i1 false)
      call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr @g, i64 800, i1 false)
      call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %h, i64 800, i1 false)
      ret void
    })");
  EXPECT_EQ(A.Ranges.size(), 2u);
  EXPECT_EQ(skipped(A, SkipReason::Stack), 1u);
}

TEST_F(AccessAnalysisTest, ASmallRangeIsOneUpdateForEachSideInTheHeap) {
  FunctionAccesses A = analyze(R"(
    declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
    define void @f(ptr %h, ptr %i, i64 %n) {
      %a = alloca [64 x i8]
      call void @llvm.memcpy.p0.p0.i64(ptr %h, ptr %i, i64 63, i1 false)
      call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %i, i64 64, i1 false)
      call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 1, i1 false)
      call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 0, i1 false)
      call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 65, i1 false)
      call void @llvm.memset.p0.i64(ptr %h, i8 0, i64 %n, i1 false)
      ret void
    })");
  EXPECT_EQ(A.Ranges.size(), 2u);
  EXPECT_EQ(A.InlineRanges.size(), 4u);
  ASSERT_EQ(A.Updates.size(), 4u);
  EXPECT_EQ(A.Updates[0].Address->getName(), "i");
  EXPECT_EQ(A.Updates[0].Accesses, 8u);
  EXPECT_EQ(A.Updates[1].Address->getName(), "h");
  EXPECT_EQ(A.Updates[1].Accesses, 8u);
  EXPECT_EQ(A.Updates[2].Address->getName(), "i");
  EXPECT_EQ(A.Updates[3].Accesses, 1u);
}

TEST_F(AccessAnalysisTest, EveryReasonHasAName) {
  for (unsigned I = 0; I != NumSkipReasons; ++I)
    EXPECT_FALSE(toString(static_cast<SkipReason>(I)).empty());
}
