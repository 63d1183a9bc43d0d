//===- Context/Engine.cpp - Decides versions for the whole link -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/Engine.h"
#include "AllStates.h"
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

static bool isMissed(Outcome O) {
  return isOfCold(O) && O != Outcome::HintedCold;
}

/// Whether a cold context that could be hinted was not.
static bool missesSome(const Unfolding &Unfolded, ArrayRef<Outcome> Outcomes) {
  for (size_t I = 0; I != Outcomes.size(); ++I)
    if (isMissed(Outcomes[I]) && !Unfolded.isDoomed(ContextId(I)))
      return true;
  return false;
}

/// One version of everything. If strict, an allocation is cold only if the
/// profile says so of whatever calls its function.
static Decisions withoutClones(const ContextProgram &Program, bool Strict) {
  Decisions Result = Decisions::none(Program);
  for (size_t I = 0; Strict && I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    bool IsWhole = false;
    for (uint32_t C = 0; C != A.NumContexts; ++C)
      IsWhole |= Program[ContextId(A.FirstContext + C)].NumStackIds == 0;
    if (!IsWhole)
      Result.Hints[I].assign(1, Temperature::NotCold);
  }
  return Result;
}

/// Names for each missed context a not-cold one that it collides with.
static void nameCollisions(const ContextProgram &Program,
                           const Unfolding *Unfolded, EngineResult &Result) {
  std::vector<ContextId> FirstNotCold(Program.numAllocations());
  for (size_t I = Program.numContexts(); I-- != 0;)
    if (Program[ContextId(I)].Profiled == Temperature::NotCold)
      FirstNotCold[Program[ContextId(I)].Allocation.index()] = ContextId(I);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    ContextId C(I);
    if (Result.Outcomes[I] != Outcome::Collides)
      continue;
    if (Unfolded)
      Result.CollidesWith[I] = Unfolded->doomedBy(C);
    else
      Result.CollidesWith[I] = FirstNotCold[Program[C].Allocation.index()];
  }
}

EngineResult thermocline::context::decide(const ContextProgram &Program,
                                          const EngineOptions &Options) {
  Resolution Resolved(Program);
  EngineResult Result;
  Result.Decided = Options.Clone && !Options.Strict
                       ? splitInTwo(Program, Resolved)
                       : withoutClones(Program, Options.Strict);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  Result.CollidesWith.resize(Program.numContexts());
  std::optional<Unfolding> Unfolded;
  bool UnfoldingCutShort = false, MergingCutShort = false;
  if (Options.Clone && any_of(Result.Outcomes, isMissed)) {
    uint64_t MaxStates = Options.MaxUnfoldedStates
                             ? Options.MaxUnfoldedStates
                             : 4 * Resolved.numPlaces() + 1000000;
    Unfolded.emplace(Program, Resolved, MaxStates, Options.Strict);
    if (!Unfolded->isComplete()) {
      UnfoldingCutShort = true;
      Unfolded.reset();
    } else if (missesSome(*Unfolded, Result.Outcomes)) {
      Result.Decided =
          Options.Strict
              ? takeAllStates(Program, Resolved, *Unfolded)
              : mergeStates(Program, Resolved, *Unfolded, MergingCutShort);
    }
  }
  if (Options.Clone)
    Result.Decided = minimize(Program, Result.Decided);
  // What minimizing dropped may have been all that bound a cold context.
  if (any_of(Result.Outcomes, isMissed)) {
    Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    nameCollisions(Program, Unfolded ? &*Unfolded : nullptr, Result);
  }
  Result.Statistics = count(Program, Result);
  Result.Statistics.UnfoldingCutShort = UnfoldingCutShort;
  Result.Statistics.MergingCutShort = MergingCutShort;
  return Result;
}
