//===- Engine/Split/Outcomes.cpp - What decisions come to -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outcomes.h"
#include "VersionSets.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

std::vector<Outcome>
thermocline::context::outcomes(const ContextProgram &Program,
                               const Resolution &Resolved,
                               const Decisions &Decided) {
  ReachedVersions Reached(Program, Resolved, Decided);
  std::vector<Outcome> Result(Program.numContexts(), Outcome::KeptNotCold);
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I) {
    TrieStateId P(I);
    for (ContextHere C : Resolved.contextsAt(P)) {
      if (!C.isCold())
        continue;
      const auto &Hints = Decided.Hints[C.allocation().index()];
      Outcome &Mine = Result[C.id().index()];
      if (all_of(Reached[P],
                 [&](uint32_t V) { return Hints[V] == Temperature::Cold; }))
        Mine = Outcome::HintedCold;
      else if (Resolved.ranElsewhere(C.id()))
        Mine = Outcome::RanElsewhere;
      else
        Mine = Resolved[P].Obstacle.value_or(Outcome::Collides);
    }
  }
  return Result;
}

uint64_t thermocline::context::instructionsAdded(const ContextProgram &Program,
                                                 const Decisions &Decided) {
  uint64_t Sum = 0;
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Sum += (Decided.NumVersions[I] - 1) * Program[FunctionId(I)].Instructions;
  return Sum;
}

EvaluatedDecisions thermocline::context::evaluate(const ContextProgram &Program,
                                                  const Resolution &Resolved,
                                                  Decisions Decided) {
  EvaluatedDecisions Result;
  Result.Outcomes = outcomes(Program, Resolved, Decided);
  for (size_t I = 0; I != Result.Outcomes.size(); ++I)
    if (Result.Outcomes[I] == Outcome::HintedCold)
      Result.Benefit += Program.benefit(ContextId(I));
  Result.Decided = std::move(Decided);
  return Result;
}
