//===- unit/Engine/MinimumTest.cpp ----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The engine's clones and instructions against the true minimum, on small
// random programs. THERMOCLINE_PROGRAMS in the environment sets how many,
// THERMOCLINE_SEED the first; with THERMOCLINE_SHOW=1 those where the engine
// makes more clones are printed, with both decisions.
//
//===----------------------------------------------------------------------===//

#include "Judges/Minimum.h"
#include "Judges/RandomProgram.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Context/Text.h"
#include "thermocline/Engine/Engine.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace thermocline;
using namespace thermocline::context;

namespace {

struct Sums {
  uint64_t Judged = 0, Engine = 0, Least = 0, Worse = 0;
};

uint64_t fromEnvironment(const char *Name, uint64_t Default) {
  const char *Value = std::getenv(Name);
  return Value ? std::strtoull(Value, nullptr, 10) : Default;
}

void show(uint64_t Seed, const ContextProgram &Program, const Decisions &Engine,
          const Decisions &Least) {
  llvm::outs() << "; seed " << Seed << "\n";
  printProgram(llvm::outs(), Program);
  llvm::outs() << "; the engine decides\n";
  printDecisions(llvm::outs(), Program, Engine);
  llvm::outs() << "; fewest clones\n";
  printDecisions(llvm::outs(), Program, Least);
}

/// Whether some function can call itself, however indirectly.
bool isRecursive(const ContextProgram &Program) {
  size_t N = Program.numFunctions();
  std::vector<std::vector<bool>> Reaches(N, std::vector<bool>(N));
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    if (C.Callee)
      Reaches[C.Caller.index()][C.Callee.index()] = true;
  }
  for (size_t Via = 0; Via != N; ++Via)
    for (size_t From = 0; From != N; ++From)
      for (size_t To = 0; To != N; ++To)
        if (Reaches[From][Via] && Reaches[Via][To])
          Reaches[From][To] = true;
  for (size_t I = 0; I != N; ++I)
    if (Reaches[I][I])
      return true;
  return false;
}

void compare(uint64_t Seed, Price Per, bool Show, Sums &Plain,
             Sums &Recursive) {
  ContextProgram Program = randomProgram(Seed);
  auto Chains = chains(Program);
  if (!Chains)
    return;
  std::vector<bool> Hintable = canBeHinted(Program, *Chains);
  EngineResult Result = decide(Program);
  for (size_t I = 0; I != Hintable.size(); ++I)
    if (Result.Outcomes[I] == Outcome::RanElsewhere)
      Hintable[I] = false;
  uint64_t Mine = Per == Price::Clones ? Result.Statistics.ClonesMade
                                       : Result.Statistics.InstructionsAdded;
  Minimum Least = cheapest(Program, *Chains, Hintable, Per, Mine);
  if (Least.CutShort)
    return;
  ASSERT_TRUE(Least.Cost) << "the engine undercuts the minimum";
  AuditResult Audited = audit(Program, Least.Decided);
  ASSERT_TRUE(Audited.isSafe());
  ASSERT_EQ(Per == Price::Clones ? Audited.ClonesMade
                                 : Audited.InstructionsAdded,
            *Least.Cost);
  for (size_t I = 0; I != Program.numContexts(); ++I)
    ASSERT_TRUE(!Hintable[I] || !Audited.Contexts[I].ReachesNotCold);
  Sums &Total = isRecursive(Program) ? Recursive : Plain;
  ++Total.Judged;
  Total.Engine += Mine;
  Total.Least += *Least.Cost;
  Total.Worse += Mine != *Least.Cost;
  if (Show && Mine != *Least.Cost)
    show(Seed, Program, Result.Decided, Least.Decided);
}

void compareAll(Price Per, const char *Unit) {
  uint64_t First = fromEnvironment("THERMOCLINE_SEED", 1);
  uint64_t Programs = fromEnvironment("THERMOCLINE_PROGRAMS", 1000);
  bool Show = Per == Price::Clones && fromEnvironment("THERMOCLINE_SHOW", 0);
  Sums Plain, Recursive;
  for (uint64_t Seed = First; Seed != First + Programs; ++Seed) {
    compare(Seed, Per, Show, Plain, Recursive);
    ASSERT_FALSE(testing::Test::HasFailure()) << "THERMOCLINE_SEED=" << Seed;
  }
  auto Print = [&](const char *Kind, const Sums &S) {
    llvm::outs() << S.Judged << " " << Kind << " programs take " << S.Engine
                 << " " << Unit << " of at least " << S.Least << "; " << S.Worse
                 << " take more than they need\n";
  };
  Print("plain", Plain);
  Print("recursive", Recursive);
  EXPECT_GT(Plain.Judged + Recursive.Judged, Programs * 9 / 10);
  EXPECT_LE(Plain.Engine * 100, Plain.Least * 105);
  // In small recursive programs it often saves most to send a state that the
  // profile says nothing of to a version that also serves another.
  EXPECT_LE(Recursive.Engine * 100, Recursive.Least * 125);
  EXPECT_LE((Plain.Engine + Recursive.Engine) * 100,
            (Plain.Least + Recursive.Least) * 110);
}

} // namespace

TEST(Minimum, Clones) { compareAll(Price::Clones, "clones"); }

TEST(Minimum, Instructions) { compareAll(Price::Instructions, "instructions"); }
