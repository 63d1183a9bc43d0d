//===- unit/Engine/StrictTest.cpp - Unprofiled is never cold --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Judges/RandomProgram.h"
#include "Judges/Scenario.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

/// Whether a cold context of \p A begins \p Frames, or ends inside a callsite
/// that does.
static bool isProfiledCold(const ContextProgram &Program, AllocationId A,
                           ArrayRef<StackId> Frames) {
  for (uint32_t I = 0; I != Program[A].NumContexts; ++I) {
    ContextId C(Program[A].FirstContext + I);
    ContextStack Ids = Program.stackIds(C);
    if (Program[C].Profiled == Temperature::Cold &&
        Ids.size() <= Frames.size() &&
        equal(Frames.take_front(Ids.size()), Ids))
      return true;
  }
  return false;
}

namespace {

/// Runs the program along every chain of calls of bounded length, and expects
/// that what allocates cold was profiled so.
class EveryRun {
public:
  EveryRun(const ContextProgram &Program, const Decisions &Decided,
           bool OnlyPartial = false)
      : Program(Program), Decided(Decided), OnlyPartial(OnlyPartial) {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      run(FunctionId(I), 0, {}, 4);
  }
  uint64_t NumCold = 0;

private:
  void run(FunctionId F, uint32_t Version, ArrayRef<StackId> Frames,
           unsigned CallsLeft) {
    for (AllocationId A : Program[F].Allocations) {
      if (Decided.Hints[A.index()][Version] != Temperature::Cold ||
          (OnlyPartial && !Program[A].OmitsNotCold))
        continue;
      ++NumCold;
      EXPECT_TRUE(isProfiledCold(Program, A, Frames))
          << "allocation " << A.index() << " in version " << Version;
    }
    if (CallsLeft == 0)
      return;
    for (CallsiteId C : Program[F].Callsites) {
      if (!Program[C].Callee)
        continue;
      SmallVector<StackId> Longer(Program.stackIds(C));
      llvm::append_range(Longer, Frames);
      run(Program[C].Callee, Decided.Clones[C.index()][Version], Longer,
          CallsLeft - 1);
    }
  }

  const ContextProgram &Program;
  const Decisions &Decided;
  bool OnlyPartial;
};

} // namespace

TEST(Strict, NothingUnprofiledIsColdInRandomPrograms) {
  uint64_t NumCold = 0, Hinted = 0;
  for (uint64_t Seed = 1; Seed != 1500; ++Seed) {
    ContextProgram Program = randomProgram(Seed);
    for (bool Clone : {true, false}) {
      EngineResult Result = decide(Program, {.Clone = Clone, .Strict = true});
      AuditResult Audited = audit(Program, Result.Decided);
      EXPECT_TRUE(Audited.isSafe());
      NumCold += EveryRun(Program, Result.Decided).NumCold;
      Hinted += Audited.ColdToCold.Contexts;
      EngineResult Free = decide(Program, {.Clone = Clone});
      for (size_t I = 0; I != Program.numContexts(); ++I)
        EXPECT_FALSE(isHinted(Result.Outcomes[I]) &&
                     !isHinted(Free.Outcomes[I]))
            << "context " << I;
      ASSERT_FALSE(HasFailure()) << "seed " << Seed;
    }
  }
  EXPECT_GT(NumCold, 1000u);
  EXPECT_GT(Hinted, 1000u);
}

TEST(Strict, HoldsWithinAGrowthBudget) {
  uint64_t Hinted = 0, LeftOut = 0;
  for (uint64_t Seed = 1; Seed != 2000; ++Seed) {
    ContextProgram Program = randomProgram(Seed);
    bool Partly = Seed % 2;
    if (Partly)
      for (size_t I = 0; I < Program.numAllocations(); I += 2)
        Program.setOmitsNotCold(AllocationId(I));
    EngineResult Result =
        decide(Program, {.Strict = !Partly, .MaxInstructionsAdded = Seed % 50});
    EXPECT_LE(Result.Statistics.InstructionsAdded, Seed % 50);
    EXPECT_TRUE(audit(Program, Result.Decided).isSafe());
    EveryRun(Program, Result.Decided, Partly);
    for (Outcome O : Result.Outcomes) {
      Hinted += isHinted(O);
      LeftOut += O == Outcome::OverBudget;
    }
    ASSERT_FALSE(HasFailure()) << "seed " << Seed;
  }
  EXPECT_GT(Hinted, 1000u);
  EXPECT_GT(LeftOut, 100u);
}

// Allocations that list all their contexts beside some that do not.
TEST(Strict, WhatAPartialAllocationOmitsIsNotCold) {
  uint64_t NumCold = 0, Hinted = 0, NotByFree = 0;
  for (uint64_t Seed = 1; Seed != 3000; ++Seed) {
    ContextProgram Program = randomProgram(Seed);
    EngineResult Free = decide(Program);
    for (size_t I = Seed % 2; I < Program.numAllocations(); I += 2)
      Program.setOmitsNotCold(AllocationId(I));
    EngineResult Result = decide(Program);
    AuditResult Audited = audit(Program, Result.Decided);
    EXPECT_TRUE(Audited.isSafe());
    EXPECT_EQ(decide(Program).Decided, Result.Decided);
    NumCold += EveryRun(Program, Result.Decided, true).NumCold;
    Hinted += Audited.ColdToCold.Contexts + Audited.ColdIfPointer.Contexts;
    for (size_t I = 0; I != Program.numContexts(); ++I) {
      bool IsHinted = isHinted(Result.Outcomes[I]);
      // Whole contexts of other allocations lose nothing by it.
      if (!Program[Program[ContextId(I)].Allocation].OmitsNotCold)
        EXPECT_EQ(IsHinted, isHinted(Free.Outcomes[I])) << "context " << I;
      else
        EXPECT_TRUE(!IsHinted || isHinted(Free.Outcomes[I]));
      NotByFree += IsHinted && !Audited.Contexts[I].CountedAs;
    }
    ASSERT_FALSE(HasFailure()) << "seed " << Seed;
  }
  EXPECT_GT(NumCold, 1000u);
  EXPECT_EQ(Hinted, NotByFree);
}

// a() { f(); /*cold*/ } b() { f(); /*not*/ } c() { f(); /*never profiled*/ }
// f() { make(); }
static const char ThreeCallers[] =
    "function a 9\nfunction b 9\nfunction c 9\nfunction f 9\nfunction make 5\n"
    "callsite a f : 1\ncallsite b f : 2\ncallsite c f : 3\n"
    "callsite f make : 4\n"
    "allocation make\n"
    "context cold 8 : 4 1\ncontext notcold 8 : 4 2\n";

TEST(Strict, UnprofiledCallerGetsTheOriginal) {
  Scenario S(ThreeCallers);
  EngineResult Strict = decide(S.Program, {.Strict = true});
  EXPECT_EQ(Strict.Outcomes[0], Outcome::HintedCold);
  EXPECT_EQ(Strict.Decided.Clones[2], (SmallVector<uint32_t, 2>{0}));
  EXPECT_EQ(Strict.Decided.Hints[0][0], Temperature::NotCold);
}

// Only ever cold where it was profiled; c was never seen to call make.
TEST(Strict, AllocationOnlyColdIsHintedInAClone) {
  Scenario S("function a 9\nfunction c 9\nfunction make 5\n"
             "callsite a make : 1\ncallsite c make : 2\n"
             "allocation make\n"
             "context cold 8 : 1\n");
  EXPECT_EQ(S.clones(), 0u);
  EXPECT_EQ(S.hintsOf(0)[0], Temperature::Cold);
  EngineResult Strict = decide(S.Program, {.Strict = true});
  EXPECT_EQ(Strict.Outcomes[0], Outcome::HintedCold);
  EXPECT_EQ(Strict.Decided.NumVersions[2], 2u);
  EXPECT_EQ(Strict.Decided.Hints[0][0], Temperature::NotCold);
  EXPECT_EQ(Strict.Decided.Clones[1], (SmallVector<uint32_t, 2>{0}));
}

// Nothing is known of the caller but that it is not a call of the link.
TEST(Strict, ContextCutOffAboveIsNotHinted) {
  Scenario S("function f 9\nfunction make 5\n"
             "callsite f make : 1\n"
             "allocation make\n"
             "context cold 8 : 1 99\n");
  EXPECT_EQ(S.outcome(0), Outcome::HintedCold);
  EngineResult Strict = decide(S.Program, {.Strict = true});
  EXPECT_EQ(Strict.Outcomes[0], Outcome::UnmatchedFrame);
}

// clang left out that one call of f by itself is not cold; two are cold, but
// listed as one.
TEST(Strict, NothingIsColdAtADepthThatWasLost) {
  Scenario S("folded\n"
             "function main 9\nfunction f 9\nfunction make 5\n"
             "callsite main f : 1\ncallsite f f : 3\ncallsite f make : 4\n"
             "callsite main make : 5\n"
             "allocation make partial\n"
             "context cold 8 : 4 3\ncontext notcold 8 : 4 1\n"
             "context cold 8 : 5\n");
  EXPECT_EQ(S.outcome(0), Outcome::Collides);
  EXPECT_EQ(S.outcome(2), Outcome::HintedCold);
}

TEST(Collides, NamesTheOther) {
  Scenario S("function a 9\nfunction make 5\n"
             "callsite a make : 1\n"
             "allocation make\n"
             "context notcold 8 : 1 7\ncontext notcold 8 : 1\n"
             "context cold 8 : 1\n");
  EXPECT_EQ(S.outcome(2), Outcome::Collides);
  EXPECT_EQ(S.Program[S.Result.CollidesWith[2]].Profiled, Temperature::NotCold);
  EXPECT_FALSE(S.Result.CollidesWith[0]);
}
