//===- unit/Apply/RecordMatcherTest.cpp -----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/RecordMatcher.h"
#include "TestModule.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"

using namespace llvm;
using namespace thermocline::apply;
using namespace thermocline::test;

namespace {

/// LLVM's own summary of a module.
ModuleSummaryIndex summarize(TestModule &M) {
  ProfileSummaryInfo Profile(*M);
  return buildModuleSummaryIndex(
      *M, [](const Function &) { return nullptr; }, &Profile);
}

const FunctionSummary &summaryOf(const ModuleSummaryIndex &Index, Function &F) {
  return *cast<FunctionSummary>(
      Index.getValueInfo(F.getGUID()).getSummaryList().front().get());
}

constexpr StringLiteral Text =
    "declare ptr @malloc(i64)\n"
    "declare ptr @g()\n"
    "declare void @llvm.assume(i1)\n"
    "@alias = alias ptr (), ptr @h\n"
    "define ptr @h() {\n  ret ptr null\n}\n"
    "define ptr @f(ptr %pointer) {\n"
    "  %a = call ptr @g(), !callsite !5\n"
    "  call void asm \"\", \"\"(), !callsite !5\n"
    "  %b = call ptr @malloc(i64 1), !memprof !0, !callsite !4\n"
    "  call void @llvm.assume(i1 true), !callsite !5\n"
    "  %c = call ptr %pointer(), !callsite !6, !prof !7\n"
    "  %d = call ptr @alias(), !callsite !6\n"
    "  %e = call ptr %pointer(), !callsite !5\n"
    "  %x = call ptr @g()\n"
    "  ret ptr %b\n}\n"
    "!0 = !{!1, !2}\n"
    "!1 = !{!3, !\"cold\"}\n"
    "!2 = !{!8, !\"notcold\"}\n"
    "!3 = !{i64 1, i64 2, i64 9, i64 9, i64 9, i64 4}\n"
    "!4 = !{i64 1, i64 2}\n"
    "!5 = !{i64 30}\n"
    "!6 = !{i64 31, i64 32}\n"
    "!7 = !{!\"VP\", i32 0, i64 30, i64 111, i64 20, i64 222, i64 10}\n"
    "!8 = !{i64 1, i64 2, i64 5}\n";

TEST(RecordMatcher, PairsLLVMsOwnRecordsWithTheirCalls) {
  TestModule M(Text);
  Function &F = M.function("f");
  ModuleSummaryIndex Index = summarize(M);
  auto Matched = RecordMatcher(Index).match(F, summaryOf(Index, F));
  ASSERT_TRUE(static_cast<bool>(Matched)) << toString(Matched.takeError());
  // Two of direct calls; those of the indirect call's targets are passed over.
  ASSERT_EQ(summaryOf(Index, F).callsites().size(), 4u);
  ASSERT_EQ(Matched->Calls.size(), 2u);
  EXPECT_EQ(Matched->Calls[0].Call->getName(), "a");
  EXPECT_EQ(Matched->Calls[1].Call->getName(), "d");
  ASSERT_EQ(Matched->Allocations.size(), 1u);
  EXPECT_EQ(Matched->Allocations[0].Call->getName(), "b");
  EXPECT_EQ(Matched->NumVersions, 1u);
}

TEST(RecordMatcher, DisagreementOnTheNumberOfVersionsIsAnError) {
  TestModule M(Text);
  Function &F = M.function("f");
  ModuleSummaryIndex Index = summarize(M);
  auto &Summary = const_cast<FunctionSummary &>(summaryOf(Index, F));
  Summary.mutableCallsites()[3].Clones = {0, 0};
  EXPECT_EQ(
      toString(RecordMatcher(Index).match(F, Summary).takeError()),
      "test.o: f: call 4 (of alias) has a record of 2 versions, the calls "
      "before it of 1. Was the bitcode changed after its summary was "
      "made?");
}

TEST(RecordMatcher, FindsTheTargetsOfIndirectCallsThatGetVersions) {
  TestModule M(Text);
  Function &F = M.function("f");
  ModuleSummaryIndex Index = summarize(M);
  auto &Summary = const_cast<FunctionSummary &>(summaryOf(Index, F));
  Summary.mutableCallsites()[2].Clones = {1};
  auto Matched = RecordMatcher(Index).match(F, Summary);
  ASSERT_TRUE(static_cast<bool>(Matched)) << toString(Matched.takeError());
  ASSERT_EQ(Matched->Candidates.size(), 1u);
  EXPECT_EQ(Matched->Candidates[0].Call->getName(), "c");
  EXPECT_EQ(Matched->Candidates[0].GUID, 222u);
  EXPECT_EQ(Matched->Candidates[0].Callee.getGUID(), 222u);
}

TEST(RecordMatcher, ARecordTooManyIsAnError) {
  TestModule M(Text);
  Function &F = M.function("f");
  ModuleSummaryIndex Index = summarize(M);
  auto &Summary = const_cast<FunctionSummary &>(summaryOf(Index, F));
  CallsiteInfo Extra = Summary.callsites().front();
  Summary.addCallsite(Extra);
  std::string Problem =
      toString(RecordMatcher(Index).match(F, Summary).takeError());
  EXPECT_NE(Problem.find("the summary has 5 callsite records, the function 4"),
            std::string::npos)
      << Problem;
}

} // namespace
