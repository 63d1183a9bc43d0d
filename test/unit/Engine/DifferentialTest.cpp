//===- unit/Engine/DifferentialTest.cpp -----------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine against the audit and the oracle, on many small random programs.
// THERMOCLINE_PROGRAMS in the environment sets how many, THERMOCLINE_SEED the
// first.
//
//===----------------------------------------------------------------------===//

#include "Judges/Oracle.h"
#include "Judges/RandomProgram.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Engine/Engine.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <set>

using namespace thermocline;
using namespace thermocline::context;

static uint64_t fromEnvironment(const char *Name, uint64_t Default) {
  const char *Value = std::getenv(Name);
  return Value ? std::strtoull(Value, nullptr, 10) : Default;
}

/// That no two versions of a function have equal rows of calls and hints, and
/// that each but the original is called. (Versions that differ in what they
/// call, but not in what comes of it, take a cycle or a chain of such pairs,
/// and every chain ends in a pair that this finds.)
static void checkNoneIsWasted(const ContextProgram &Program,
                              const Decisions &Decided) {
  std::set<std::pair<uint32_t, uint32_t>> Called;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (Program[CallsiteId(I)].Callee)
      for (uint32_t Version : Decided.Clones[I])
        Called.insert({Program[CallsiteId(I)].Callee.index(), Version});
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    std::set<std::vector<uint32_t>> Rows;
    for (uint32_t V = 0; V != Decided.NumVersions[I]; ++V) {
      std::vector<uint32_t> Row;
      for (CallsiteId C : Program[FunctionId(I)].Callsites)
        Row.push_back(Decided.Clones[C.index()][V]);
      for (AllocationId A : Program[FunctionId(I)].Allocations)
        Row.push_back(Decided.Hints[A.index()][V] == Temperature::Cold);
      EXPECT_TRUE(Rows.insert(Row).second)
          << "function " << I << " has version " << V << " twice";
      EXPECT_TRUE(V == 0 || Called.count({I, V}))
          << "nothing calls version " << V << " of function " << I;
    }
  }
}

/// Returns whether the oracle could judge.
static bool check(const ContextProgram &Program) {
  EngineResult Result = decide(Program);
  AuditResult Audited = audit(Program, Result.Decided);
  EXPECT_EQ(Audited.Malformed, std::vector<std::string>());
  EXPECT_EQ(Audited.NotColdToCold.Contexts, 0u);
  EXPECT_EQ(Audited.ClonesMade, Result.Statistics.ClonesMade);

  auto Chains = chains(Program);
  std::optional<std::vector<bool>> Expected;
  if (Chains)
    Expected = canBeHinted(Program, *Chains);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    bool Cold = Program[ContextId(I)].Profiled == Temperature::Cold;
    EXPECT_EQ(Result.Outcomes[I] == Outcome::KeptNotCold, !Cold);
    if (!Cold)
      continue;
    // Whether this copy is hinted does not matter.
    if (Result.Outcomes[I] == Outcome::RanElsewhere) {
      EXPECT_TRUE(Audited.Contexts[I].CountedAs) << "context " << I;
      continue;
    }
    if (Expected)
      EXPECT_EQ(isHinted(Result.Outcomes[I]), (*Expected)[I])
          << "context " << I << ": " << describe(Result.Outcomes[I]).str();
    EXPECT_EQ(Audited.Contexts[I].ReachesNotCold, !isHinted(Result.Outcomes[I]))
        << "context " << I;
    // A context speaks for its other copies, too.
    if (llvm::any_of(Audited.Contexts, [&](const AuditedContext &Other) {
          return Other.CountedAs == ContextId(I);
        }))
      continue;
    const AuditedContext &Judged = Audited.Contexts[I];
    EXPECT_EQ(!Judged.ReachesNotCold && Judged.MayEnterAgain,
              Result.Outcomes[I] == Outcome::HintedIfNotAgain)
        << "context " << I;
    EXPECT_EQ(!Judged.ReachesNotCold && !Judged.MayEnterAgain &&
                  Judged.MayBeInlined,
              Result.Outcomes[I] == Outcome::HintedIfNotInlined)
        << "context " << I;
  }
  EXPECT_EQ(decide(Program).Decided, Result.Decided);
  checkNoneIsWasted(Program, Result.Decided);

  AuditResult Without =
      audit(Program, decide(Program, {.Clone = false}).Decided);
  EXPECT_TRUE(Without.isSafe());
  EXPECT_EQ(Without.ClonesMade, 0u);
  return Expected.has_value();
}

TEST(Differential, SmallRandomPrograms) {
  uint64_t First = fromEnvironment("THERMOCLINE_SEED", 1);
  uint64_t Programs = fromEnvironment("THERMOCLINE_PROGRAMS", 10000);
  uint64_t Judged = 0;
  for (uint64_t Seed = First; Seed != First + Programs; ++Seed) {
    Judged += check(randomProgram(Seed));
    ASSERT_FALSE(HasFailure()) << "THERMOCLINE_SEED=" << Seed;
  }
  EXPECT_GT(Judged, Programs * 9 / 10);
}

// The oracle knows nothing of contexts that list a repeated call once: here the
// audit alone judges.
TEST(Differential, FoldedRecursion) {
  for (uint64_t Seed = 1; Seed != 3000; ++Seed) {
    ContextProgram Program = randomProgram(Seed);
    Program.setFoldsRecursion();
    EngineResult Result = decide(Program);
    AuditResult Audited = audit(Program, Result.Decided);
    EXPECT_TRUE(Audited.isSafe());
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (Program[ContextId(I)].Profiled == Temperature::Cold)
        EXPECT_EQ(Audited.Contexts[I].ReachesNotCold,
                  !isHinted(Result.Outcomes[I]))
            << "context " << I;
    ASSERT_FALSE(HasFailure()) << "seed " << Seed;
  }
}

// The program that runs has all calls. Those without a record reach version 0
// from whatever version they are in: walked through all of them, no context
// that is not cold comes to a hint. (Oracle and audit above only know what is
// left.)
TEST(Differential, CallsWithoutARecordReachTheOriginal) {
  uint64_t First = fromEnvironment("THERMOCLINE_SEED", 1);
  uint64_t Programs = fromEnvironment("THERMOCLINE_PROGRAMS", 10000);
  uint64_t Lost = 0, Hinted = 0;
  for (uint64_t Seed = First; Seed != First + Programs; ++Seed) {
    CompleteProgram Complete(Seed, /*TailCalls=*/Seed % 2);
    const ContextProgram &Runs = Complete.Program;
    ContextProgram Known = Complete.withRecords();
    EngineResult Result = decide(Known);
    AuditResult Audited = audit(Known, Result.Decided);
    EXPECT_TRUE(Audited.isSafe());
    for (size_t I = 0; I != Known.numContexts(); ++I)
      if (isHinted(Result.Outcomes[I]))
        EXPECT_FALSE(Audited.Contexts[I].ReachesNotCold) << "context " << I;

    AuditResult Ran = audit(Runs, Complete.decisions(Result.Decided));
    EXPECT_TRUE(Ran.isSafe());
    Lost += Runs.numCallsites() - Known.numCallsites();
    Hinted += Ran.ColdToCold.Contexts;
    ASSERT_FALSE(HasFailure()) << "THERMOCLINE_SEED=" << Seed;
  }
  EXPECT_GT(Lost, Programs / 2);
  EXPECT_GT(Hinted, Programs / 2);
}
