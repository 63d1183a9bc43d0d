//===- Context/Engine.cpp - Decides versions for the whole link -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/Engine.h"
#include "Minimize.h"
#include "Resolution.h"
#include "StateMerging.h"
#include "TwoVersions.h"
#include "Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;
using namespace thermocline::context;

StringRef thermocline::context::describe(Outcome O) {
  switch (O) {
  case Outcome::KeptNotCold:
    return "kept not-cold";
  case Outcome::HintedCold:
    return "hinted cold";
  case Outcome::UnmatchedFrame:
    return "unmatched frame";
  case Outcome::IndirectCall:
    return "indirect call";
  case Outcome::OutsideLink:
    return "outside the link";
  case Outcome::NotClonable:
    return "function that cannot be cloned";
  case Outcome::AmbiguousTailCall:
    return "ambiguous tail call";
  case Outcome::Collides:
    return "collides with a not-cold context";
  case Outcome::OverBudget:
    return "over budget";
  case Outcome::WorthTooLittle:
    return "worth too little";
  case Outcome::FalseCold:
    return "not-cold hinted cold within the limit";
  }
  llvm_unreachable("unknown outcome");
}

static EngineStatistics count(const ContextProgram &Program,
                              const EngineResult &Result) {
  EngineStatistics Statistics;
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    auto O = static_cast<unsigned>(Result.Outcomes[I]);
    ++Statistics.ContextsByOutcome[O];
    Statistics.BytesByOutcome[O] += Program[ContextId(I)].Size.count();
  }
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    uint64_t Clones = Result.Decided.NumVersions[I] - 1;
    Statistics.ClonesMade += Clones;
    Statistics.FunctionsCloned += Clones != 0;
    Statistics.InstructionsAdded +=
        Clones * Program[FunctionId(I)].Instructions;
  }
  for (const auto &Hints : Result.Decided.Hints)
    for (Temperature T : Hints)
      Statistics.HintsCold += T == Temperature::Cold;
  return Statistics;
}

/// Whether a cold context that could be hinted was not.
static bool missesSome(const Unfolding &Unfolded, ArrayRef<Outcome> Outcomes) {
  for (size_t I = 0; I != Outcomes.size(); ++I)
    if (isOfCold(Outcomes[I]) && Outcomes[I] != Outcome::HintedCold &&
        !Unfolded.isDoomed(ContextId(I)))
      return true;
  return false;
}

EngineResult thermocline::context::decide(const ContextProgram &Program,
                                          const EngineOptions &Options) {
  Resolution Resolved(Program);
  EngineResult Result;
  Result.Decided =
      Options.Clone ? splitInTwo(Program, Resolved) : Decisions::none(Program);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  bool UnfoldingCutShort = false, MergingCutShort = false;
  bool AllHinted = all_of(Result.Outcomes, [](Outcome O) {
    return !isOfCold(O) || O == Outcome::HintedCold;
  });
  if (Options.Clone && !AllHinted) {
    uint64_t MaxStates = Options.MaxUnfoldedStates
                             ? Options.MaxUnfoldedStates
                             : 4 * Resolved.numPlaces() + 1000000;
    Unfolding Unfolded(Program, Resolved, MaxStates);
    UnfoldingCutShort = !Unfolded.isComplete();
    if (!UnfoldingCutShort && missesSome(Unfolded, Result.Outcomes)) {
      Result.Decided =
          mergeStates(Program, Resolved, Unfolded, MergingCutShort);
      Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    }
  }
  // What is dropped here may have been all that bound a cold context.
  if (Options.Clone) {
    Result.Decided = minimize(Program, Result.Decided);
    Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  }
  Result.CollidesWith.resize(Program.numContexts());
  Result.Statistics = count(Program, Result);
  Result.Statistics.UnfoldingCutShort = UnfoldingCutShort;
  Result.Statistics.MergingCutShort = MergingCutShort;
  return Result;
}
