//===- unit/LTO/ReadersTest.cpp - Two readers, one program ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context program that is read from a module is the one that is read from
// its summary, but for what a summary does not have; and whatever is decided on
// it can be applied to the module.
//
//===----------------------------------------------------------------------===//

#include "RandomModule.h"
#include "TestModule.h"
#include "program/ModuleReader.h"
#include "program/SummaryReader.h"
#include "thermocline/Annotate/Metadata/CallMarks.h"
#include "thermocline/Annotate/Metadata/ContextMark.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Engine/Engine.h"
#include "llvm/Analysis/ModuleSummaryAnalysis.h"
#include "llvm/Analysis/ProfileSummaryInfo.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;
using namespace thermocline::test;

namespace {

/// A function without records goes by the name of the alias that calls it.
std::string nameOf(const ContextProgram &Program, FunctionId F) {
  if (!F)
    return "?";
  std::string Name = Program[F].Name;
  return Name[0] == 'a' ? "f" + Name.substr(1) : Name;
}

/// What both readers must agree on, by function. A summary has no record of an
/// indirect call without known targets, nor of a function without contexts, and
/// sizes only where it was asked for them.
std::map<std::string, std::string> describe(const ContextProgram &Program) {
  std::map<std::string, std::string> Result;
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    const context::Function &F = Program[FunctionId(I)];
    if (F.Callsites.empty() && F.Allocations.empty())
      continue;
    std::string Text;
    raw_string_ostream OS(Text);
    for (CallsiteId Id : F.Callsites) {
      const Callsite &C = Program[Id];
      if (C.Redirectable == Redirect::Indirect || !C.NumStackIds)
        continue;
      OS << "call " << nameOf(Program, C.Callee) << ' '
         << static_cast<unsigned>(C.Redirectable)
         << (C.IsThroughPointer ? " through a pointer" : "");
      for (StackId S : Program.stackIds(Id))
        OS << ' ' << raw(S);
      OS << '\n';
    }
    for (AllocationId Id : F.Allocations) {
      OS << "allocation\n";
      const Allocation &A = Program[Id];
      for (uint32_t C = 0; C != A.NumContexts; ++C) {
        ContextId Context(A.FirstContext + C);
        OS << "context " << static_cast<unsigned>(Program[Context].Profiled);
        for (StackId S : Program.stackIds(Context))
          OS << ' ' << raw(S);
        OS << '\n';
      }
    }
    if (!Text.empty())
      Result[F.Name] =
          utostr(F.Instructions) + (F.Clonable ? "" : " fixed") + "\n" + Text;
  }
  return Result;
}

/// What the thin link reads of \p M, whose calls are noted first.
static ContextProgram readBySummary(TestModule &M) {
  annotate::CallMarks(*M).note(*M);
  ProfileSummaryInfo PSI(*M);
  ModuleSummaryIndex Index = buildModuleSummaryIndex(*M, nullptr, &PSI);
  return std::move(
      readSummary(Index, [](GlobalValue::GUID, const GlobalValueSummary *) {
        return true;
      }).Program);
}

TEST(Readers, AgreeOnRandomModules) {
  for (uint64_t Seed = 1; Seed <= 300; ++Seed) {
    TestModule M(randomModule(Seed));
    ASSERT_TRUE(M.verifies());
    Expected<ModuleProgram> FromModule = readModule(*M);
    ASSERT_TRUE(static_cast<bool>(FromModule))
        << toString(FromModule.takeError());
    ContextProgram FromSummary = readBySummary(M);
    EXPECT_EQ(describe(FromModule->Program), describe(FromSummary))
        << "seed " << Seed << "\n"
        << randomModule(Seed);
    ASSERT_FALSE(HasFailure());
  }
}

TEST(Readers, DecisionsCanBeApplied) {
  uint64_t Clones = 0, Redirected = 0, Promoted = 0, Cold = 0;
  for (uint64_t Seed = 1; Seed <= 300; ++Seed) {
    TestModule M(randomModule(Seed));
    Expected<ModuleProgram> Read = readModule(*M);
    ASSERT_TRUE(static_cast<bool>(Read)) << toString(Read.takeError());
    EngineResult Result = decide(Read->Program);
    EXPECT_TRUE(audit(Read->Program, Result.Decided).isSafe()) << Seed;
    apply::ApplyStatistics Statistics;
    Expected<bool> Changed = apply::rewriteModule(
        *M, matchDecisions(*Read, Result.Decided), {}, Statistics);
    ASSERT_TRUE(static_cast<bool>(Changed))
        << "seed " << Seed << ": " << toString(Changed.takeError());
    EXPECT_TRUE(M.verifies()) << "seed " << Seed;
    EXPECT_EQ(Statistics.ClonesMade, Result.Statistics.ClonesMade);
    EXPECT_EQ(Statistics.allLowered(), Result.Statistics.HintsCold);
    for (llvm::Function &F : *M)
      for (Instruction &I : instructions(F)) {
        EXPECT_FALSE(I.hasMetadata(LLVMContext::MD_memprof));
        EXPECT_FALSE(I.hasMetadata(LLVMContext::MD_callsite));
      }
    Clones += Statistics.ClonesMade;
    Redirected += Statistics.CallsRedirected;
    Promoted += Statistics.CallsPromoted;
    Cold += Statistics.allLowered();
  }
  // The modules are of use only if all this happens in them.
  EXPECT_GT(Clones, 0u);
  EXPECT_GT(Redirected, 0u);
  EXPECT_GT(Promoted, 0u);
  EXPECT_GT(Cold, 0u);
}

// A coroutine that is not split is entered in its middle, too. What resumes it
// is no call of the coroutine, whatever the value profile says.
TEST(Readers, CoroutinesAreNoTargets) {
  TestModule M(
      "declare ptr @malloc(i64)\n@pointer = global ptr null\n"
      "define ptr @coroutine(i64 %n) presplitcoroutine {\n"
      "  %r = call ptr @malloc(i64 %n), !callsite !0, !memprof !1\n"
      "  ret ptr %r\n}\n"
      "define ptr @resumes(i64 %n) {\n"
      "  %d = call ptr @coroutine(i64 %n), !callsite !4\n"
      "  %p = load ptr, ptr @pointer\n"
      "  %r = call ptr %p(i64 %n), !callsite !5, !prof !6\n"
      "  ret ptr %r\n}\n"
      "!0 = !{i64 1}\n!1 = !{!2, !3}\n!2 = !{!7, !\"cold\"}\n"
      "!3 = !{!8, !\"notcold\"}\n!4 = !{i64 2}\n!5 = !{i64 3}\n"
      "!6 = !{!\"VP\", i32 0, i64 1, i64 " +
      utostr(GlobalValue::getGUIDAssumingExternalLinkage("coroutine")) +
      ", i64 0}\n!7 = !{i64 1, i64 2}\n!8 = !{i64 1, i64 3}\n");
  ASSERT_TRUE(M.verifies());
  ContextProgram FromSummary = readBySummary(M);
  Expected<ModuleProgram> FromModule = readModule(*M);
  ASSERT_TRUE(static_cast<bool>(FromModule));
  for (const ContextProgram *P : {&FromSummary, &FromModule->Program}) {
    ASSERT_EQ(P->numCallsites(), 2u);
    for (size_t I = 0; I != 2; ++I) {
      const Callsite &C = (*P)[CallsiteId(I)];
      EXPECT_EQ(C.IsThroughPointer, C.Redirectable == Redirect::Indirect);
      EXPECT_EQ(C.IsThroughPointer, !C.Callee);
    }
    for (size_t I = 0; I != P->numFunctions(); ++I)
      EXPECT_EQ((*P)[FunctionId(I)].EnteredInAnyVersion,
                (*P)[FunctionId(I)].Name == "coroutine");
  }
}

/// The callsites of \p P that may be entered again, by their first frames.
static std::vector<uint64_t> enteredAgain(const ContextProgram &P) {
  std::vector<uint64_t> Result;
  for (size_t I = 0; I != P.numCallsites(); ++I)
    if (CallsiteId C(I); P[C].MayEnterAgain && P[C].NumStackIds)
      Result.push_back(raw(P.stackIds(C).front()));
  llvm::sort(Result);
  return Result;
}

// The call 2 of @target goes through a pointer, and so does a tail call of its
// type in @jumps. @before leads to that, and is called at 3 and at 5, which is
// where it was inlined, too. @other (4) has another type, and @free (7) is
// called by name.
TEST(Readers, TailCallsThroughPointersMayEnterAgain) {
  auto VP = [](StringRef Name) {
    return "!{!\"VP\", i32 0, i64 1, i64 " +
           utostr(GlobalValue::getGUIDAssumingExternalLinkage(Name)) +
           ", i64 0}\n";
  };
  for (bool Jumps : {true, false}) {
    TestModule M(
        "declare ptr @malloc(i64)\n@pointer = global ptr null\n"
        "define ptr @target(i64 %n) {\n"
        "  %r = call ptr @malloc(i64 %n), !callsite !0, !memprof !1\n"
        "  ret ptr %r\n}\n"
        "define ptr @other(i64 %n, i64 %m) {\n"
        "  %r = call ptr @target(i64 %n), !callsite !18\n  ret ptr %r\n}\n"
        "define ptr @free(i64 %n) {\n"
        "  %r = call ptr @target(i64 %n), !callsite !16\n  ret ptr %r\n}\n"
        "define ptr @jumps(i64 %n) {\n"
        "  %p = load ptr, ptr @pointer\n  %r = " +
        std::string(Jumps ? "musttail " : "") +
        "call ptr %p(i64 %n)\n  ret ptr %r\n}\n"
        "define ptr @before(i64 %n) {\n"
        "  %a = call ptr @free(i64 %n), !callsite !15\n"
        "  %r = musttail call ptr @jumps(i64 %n)\n  ret ptr %r\n}\n"
        "define ptr @calls(i64 %n) {\n"
        "  %p = load ptr, ptr @pointer\n"
        "  %a = call ptr %p(i64 %n), !callsite !4, !prof !6\n"
        "  %b = call ptr @before(i64 %n), !callsite !5\n"
        "  %c = call ptr %p(i64 %n, i64 %n), !callsite !9, !prof !10\n"
        "  %d = call ptr @free(i64 %n), !callsite !17\n"
        "  %e = call ptr @free(i64 %n), !callsite !14\n"
        "  ret ptr %a\n}\n"
        "!0 = !{i64 1}\n!1 = !{!2, !3}\n!2 = !{!7, !\"cold\"}\n"
        "!3 = !{!8, !\"notcold\"}\n!4 = !{i64 2}\n!5 = !{i64 3}\n!6 = " +
        VP("target") + "!7 = !{i64 1, i64 2}\n!8 = !{i64 1, i64 3}\n" +
        "!9 = !{i64 4}\n!10 = " + VP("other") +
        "!14 = !{i64 5, i64 6}\n!15 = !{i64 5}\n!16 = !{i64 8}\n"
        "!17 = !{i64 7}\n!18 = !{i64 9}\n");
    ASSERT_TRUE(M.verifies());
    ContextProgram FromSummary = readBySummary(M);
    Expected<ModuleProgram> FromModule = readModule(*M);
    ASSERT_TRUE(static_cast<bool>(FromModule));
    const auto Wanted =
        Jumps ? std::vector<uint64_t>{2, 3, 5} : std::vector<uint64_t>{};
    EXPECT_EQ(enteredAgain(FromSummary), Wanted);
    EXPECT_EQ(enteredAgain(FromModule->Program), Wanted);
  }
}

// A module that does not have a coroutine names it as a whole. Merged, all its
// parts are there; that which is called is one of the call's type. The order of
// the parts in the module does not count.
TEST(Readers, PartsOfACoroutineAreTargetsWhateverComesFirst) {
  constexpr char Whole[] = "define ptr @c(i32 %n) {\n  ret ptr @c.resume\n}\n";
  constexpr char Resume[] =
      "define internal ptr @c.resume(i64 %n) {\n"
      "  %r = call ptr @malloc(i64 %n), !callsite !0, !memprof !1\n"
      "  ret ptr %r\n}\n";
  constexpr char Destroy[] =
      "define internal ptr @c.destroy(i64 %n) {\n  ret ptr null\n}\n";
  for (StringRef First : {Whole, Resume, Destroy}) {
    std::string Text = "declare ptr @malloc(i64)\n@pointer = global ptr null\n";
    Text += First;
    for (StringRef Part : {Whole, Resume, Destroy})
      if (Part != First)
        Text += Part;
    TestModule M(
        Text +
        "define ptr @resumes(i64 %n) {\n"
        "  %p = load ptr, ptr @pointer\n"
        "  %r = call ptr %p(i64 %n), !callsite !4, !prof !5\n"
        "  ret ptr %r\n}\n"
        "!0 = !{i64 1}\n!1 = !{!2, !3}\n!2 = !{!6, !\"cold\"}\n"
        "!3 = !{!7, !\"notcold\"}\n!4 = !{i64 2}\n"
        "!5 = !{!\"VP\", i32 0, i64 1, i64 " +
        utostr(GlobalValue::getGUIDAssumingExternalLinkage("c")) +
        ", i64 0}\n!6 = !{i64 1, i64 2, i64 8}\n!7 = !{i64 1, i64 2, i64 9}\n");
    ASSERT_TRUE(M.verifies());
    Expected<ModuleProgram> Read = readModule(*M);
    ASSERT_TRUE(static_cast<bool>(Read));
    std::vector<std::string> Targets;
    for (size_t I = 0; I != Read->Program.numCallsites(); ++I)
      Targets.push_back(
          nameOf(Read->Program, Read->Program[CallsiteId(I)].Callee));
    EXPECT_EQ(Targets, (std::vector<std::string>{"c.destroy", "c.resume"}));
  }
}

TEST(Readers, MarksTellWhetherContextsAreMissing) {
  for (auto Is : {annotate::ContextMark::Kind::Whole,
                  annotate::ContextMark::Kind::Part}) {
    annotate::ContextMark Mark{Is};
    Mark.Calls = {annotate::CalledAllocator::Way::OwnHint, 1};
    TestModule M("declare ptr @malloc(i64)\n"
                 "define ptr @f(i64 %n) {\n"
                 "  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !4\n"
                 "  ret ptr %p\n}\n"
                 "!0 = !{!1}\n!1 = !{!2, !\"cold\", !3, !5}\n"
                 "!2 = !{i64 1, i64 2}\n!3 = !{i64 100, i64 12}\n"
                 "!4 = !{i64 1}\n!5 = !{i64 " +
                 utostr(Mark.encode().FullStackId) + ", i64 0}\n");
    ContextProgram FromSummary = readBySummary(M);
    Expected<ModuleProgram> FromModule = readModule(*M);
    ASSERT_TRUE(static_cast<bool>(FromModule));
    for (const ContextProgram *P : {&FromSummary, &FromModule->Program}) {
      ASSERT_EQ(P->numAllocations(), 1u);
      EXPECT_EQ((*P)[AllocationId(0)].OmitsNotCold,
                Is == annotate::ContextMark::Kind::Part);
    }
    EXPECT_EQ(FromSummary[AllocationId(0)].Hintable, Hintable::OwnHint);
  }
}

TEST(Readers, SizesAreReadFromMetadata) {
  TestModule M("declare ptr @malloc(i64)\n"
               "define ptr @f(i64 %n) {\n"
               "  %p = call ptr @malloc(i64 %n), !memprof !0, !callsite !6\n"
               "  ret ptr %p\n}\n"
               "!0 = !{!1, !3}\n"
               "!1 = !{!2, !\"cold\", !5, !7}\n"
               "!2 = !{i64 1, i64 2}\n"
               "!3 = !{!4, !\"notcold\"}\n"
               "!4 = !{i64 1, i64 3}\n"
               "!5 = !{i64 100, i64 12}\n"
               "!6 = !{i64 1}\n"
               "!7 = !{i64 101, i64 30}\n");
  Expected<ModuleProgram> Read = readModule(*M);
  ASSERT_TRUE(static_cast<bool>(Read));
  ASSERT_EQ(Read->Program.numContexts(), 2u);
  EXPECT_EQ(Read->Program[ContextId(0)].Size, Bytes(42));
  EXPECT_EQ(Read->Program[ContextId(0)].FullStackId, 100u);
  EXPECT_EQ(Read->Program[ContextId(1)].Size, Bytes(0));
  EXPECT_EQ(Read->Program[ContextId(1)].FullStackId, 0u);
}

} // namespace
