//===- unit/Engine/BudgetTest.cpp -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decisions within a growth budget, against every choice of versions that there
// is, on small random programs. THERMOCLINE_PROGRAMS in the environment sets
// how many, THERMOCLINE_SEED the first.
//
//===----------------------------------------------------------------------===//

#include "Judges/RandomProgram.h"
#include "Judges/Scenario.h"
#include <cstdlib>

using namespace thermocline;
using namespace thermocline::context;

namespace {

uint64_t fromEnvironment(const char *Name, uint64_t Default) {
  const char *Value = std::getenv(Name);
  return Value ? std::strtoull(Value, nullptr, 10) : Default;
}

uint64_t worthHinted(const ContextProgram &Program,
                     const AuditResult &Audited) {
  uint64_t Sum = 0;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (Program[ContextId(I)].Profiled == Temperature::Cold &&
        !Audited.Contexts[I].ReachesNotCold)
      Sum += Program.benefit(ContextId(I));
  return Sum;
}

/// The most that is worth of any choice of the versions of \p Full within
/// \p Budget that leaves no not-cold context hinted.
uint64_t bestChoice(const ContextProgram &Program, const Decisions &Full,
                    uint64_t Budget) {
  std::vector<std::pair<FunctionId, uint32_t>> Versions;
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    for (uint32_t V = 1; V != Full.NumVersions[I]; ++V)
      Versions.push_back({FunctionId(I), V});
  uint64_t Best = 0;
  for (uint32_t Subset = 0; Subset != 1u << Versions.size(); ++Subset) {
    Decisions Chosen = Full;
    uint64_t Cost = 0;
    for (size_t I = 0; I != Versions.size(); ++I) {
      auto [F, V] = Versions[I];
      if (Subset >> I & 1)
        Cost += Program[F].Instructions;
      else
        for (size_t C = 0; C != Program.numCallsites(); ++C)
          if (Program[CallsiteId(C)].Callee == F)
            for (uint32_t &To : Chosen.Clones[C])
              if (To == V)
                To = 0;
    }
    if (Cost > Budget)
      continue;
    AuditResult Audited = audit(Program, Chosen);
    if (Audited.isSafe())
      Best = std::max(Best, worthHinted(Program, Audited));
  }
  return Best;
}

struct Sums {
  uint64_t Judged = 0, Worse = 0, Worth = 0, Most = 0;
};

void compare(uint64_t Seed, Sums &Total) {
  ContextProgram Program = randomProgram(Seed);
  EngineResult Full = decide(Program);
  uint64_t Wanted = Full.Statistics.InstructionsAdded;
  EXPECT_EQ(Full.Statistics.InstructionsWanted, Wanted);
  if (Wanted == 0)
    return;
  uint64_t Budget = (Seed * 0x9E3779B97F4A7C15u >> 32) % Wanted;
  EngineResult Result = decide(Program, {.MaxInstructionsAdded = Budget});
  EXPECT_EQ(Result.Statistics.InstructionsWanted, Wanted);
  AuditResult Audited = audit(Program, Result.Decided);
  EXPECT_TRUE(Audited.isSafe());
  EXPECT_LE(Audited.InstructionsAdded, Budget);
  EXPECT_EQ(decide(Program, {.MaxInstructionsAdded = Budget}).Decided,
            Result.Decided);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    Outcome Now = Result.Outcomes[I], Before = Full.Outcomes[I];
    if (!isOfCold(Now))
      continue;
    EXPECT_EQ(isHinted(Now), !Audited.Contexts[I].ReachesNotCold);
    EXPECT_EQ(Now == Outcome::OverBudget, !isHinted(Now) && isHinted(Before));
  }
  EXPECT_EQ(decide(Program, {.MaxInstructionsAdded = Wanted}).Decided,
            Full.Decided);

  if (Full.Statistics.ClonesMade > 10)
    return;
  uint64_t Most = bestChoice(Program, Full.Decided, Budget);
  uint64_t Worth = worthHinted(Program, Audited);
  ++Total.Judged;
  Total.Worse += Worth < Most;
  Total.Worth += Worth;
  Total.Most += Most;
  if (Worth < Most && fromEnvironment("THERMOCLINE_SHOW", 0)) {
    llvm::outs() << "; seed " << Seed << ", budget " << Budget << ": worth "
                 << Worth << " of " << Most << "\n";
    printProgram(llvm::outs(), Program);
    printDecisions(llvm::outs(), Program, Full.Decided);
    printDecisions(llvm::outs(), Program, Result.Decided);
  }
}

} // namespace

TEST(Budget, BestOfAllChoices) {
  uint64_t First = fromEnvironment("THERMOCLINE_SEED", 1);
  uint64_t Programs = fromEnvironment("THERMOCLINE_PROGRAMS", 5000);
  Sums Total;
  for (uint64_t Seed = First; Seed != First + Programs; ++Seed) {
    compare(Seed, Total);
    ASSERT_FALSE(HasFailure()) << "THERMOCLINE_SEED=" << Seed;
  }
  llvm::outs() << Total.Judged << " programs keep worth " << Total.Worth
               << " of at most " << Total.Most << "; " << Total.Worse
               << " keep less than they could\n";
  // Deciding anew without some contexts finds what no choice of versions has.
  EXPECT_GE(Total.Worth, Total.Most);
}
