//===- Engine/Split/Separation.cpp - As many told apart as can be ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Separation.h"
#include "AllStates.h"
#include "Minimize.h"
#include "Outcomes.h"
#include "Prune.h"
#include "StateMerging.h"
#include "TwoVersions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace thermocline::context;

/// Whether a cold context that could be hinted was not.
static bool missesSome(const SubsetConstruction &Subsets,
                       ArrayRef<Outcome> Outcomes) {
  for (size_t I = 0; I != Outcomes.size(); ++I)
    if (isMissed(Outcomes[I]) && !Subsets.isInseparable(ContextId(I)))
      return true;
  return false;
}

Decisions thermocline::context::withoutClones(const ContextProgram &Program,
                                              const StrictAllocations &Strict) {
  Decisions Result = Decisions::none(Program);
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    if (!Strict[AllocationId(I)])
      continue;
    bool IsWhole = false;
    for (uint32_t C = 0; C != A.NumContexts; ++C)
      IsWhole |= Program[ContextId(A.FirstContext + C)].Frames.empty();
    if (!IsWhole)
      Result.Hints[I].assign(1, Temperature::NotCold);
  }
  return Result;
}

/// Names for each missed context a not-cold one that it collides with.
static void nameCollisions(const ContextProgram &Program,
                           const SubsetConstruction *Subsets,
                           Separation &Result) {
  std::vector<ContextId> FirstNotCold(Program.numAllocations());
  for (size_t I = Program.numContexts(); I-- != 0;)
    if (Program[ContextId(I)].Profiled == Temperature::NotCold)
      FirstNotCold[Program[ContextId(I)].Allocation.index()] = ContextId(I);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    ContextId C(I);
    if (Result.Outcomes[I] != Outcome::Collides)
      continue;
    if (Subsets)
      Result.CollidesWith[I] = Subsets->inseparableFrom(C);
    else
      Result.CollidesWith[I] = FirstNotCold[Program[C].Allocation.index()];
  }
}

/// What comes first decides what later classes find to be merged with. Small
/// programs, above all recursive ones, are worth several tries, of which the
/// one that adds least stands.
static Decisions mergeInSomeOrders(const ContextProgram &Program,
                                   const Resolution &Resolved,
                                   const SubsetConstruction &Subsets,
                                   bool &CutShort) {
  constexpr size_t MostStates = 20000, MostTries = 16;
  size_t Tries = std::clamp<size_t>(MostStates / Subsets.size(), 1, MostTries);
  Decisions Best;
  uint64_t Least = 0;
  for (size_t Order = 0; Order != Tries; ++Order) {
    bool WasCutShort = false;
    Decisions Mine = minimize(
        Program, mergeStates(Program, Resolved, Subsets, Order, WasCutShort));
    uint64_t Added = instructionsAdded(Program, Mine);
    if (Order != 0 && Added >= Least)
      continue;
    Best = std::move(Mine);
    Least = Added;
    CutShort = WasCutShort;
  }
  return Best;
}

/// The decisions of at most two versions a function, and their outcomes.
static void splitFirst(const ContextProgram &Program,
                       const Resolution &Resolved, const EngineOptions &Options,
                       const StrictAllocations &Strict, Separation &Result) {
  TimeTraceScope Phase("Thermocline: two versions");
  Result.Decided = Options.Clone && !Strict.any()
                       ? splitInTwo(Program, Resolved)
                       : withoutClones(Program, Strict);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
}

/// \returns none if the construction takes too many states.
static std::optional<SubsetConstruction>
constructSubsets(const ContextProgram &Program, const Resolution &Resolved,
                 const EngineOptions &Options, const StrictAllocations &Strict,
                 Separation &Result) {
  TimeTraceScope Phase("Thermocline: construct subsets");
  uint64_t MaxStates = Options.MaxStates
                           ? Options.MaxStates
                           : 4 * Resolved.numTrieStates() + 1000000;
  std::optional<SubsetConstruction> Subsets;
  Subsets.emplace(Program, Resolved, MaxStates, Strict,
                  /*Explicit=*/Strict.any() && !Strict.all());
  if (!Subsets->isComplete()) {
    Result.SubsetsCutShort = true;
    Subsets.reset();
  }
  return Subsets;
}

static void merge(const ContextProgram &Program, const Resolution &Resolved,
                  const SubsetConstruction &Subsets,
                  const StrictAllocations &Strict, Separation &Result) {
  TimeTraceScope Phase("Thermocline: merge");
  Result.IsMerged = true;
  Result.Decided = Strict.all() ? takeAllStates(Program, Resolved, Subsets)
                                : mergeInSomeOrders(Program, Resolved, Subsets,
                                                    Result.MergingCutShort);
}

Separation thermocline::context::separate(const ContextProgram &Program,
                                          const Resolution &Resolved,
                                          const EngineOptions &Options) {
  StrictAllocations Strict(Program, Options.Strict);
  Separation Result;
  splitFirst(Program, Resolved, Options, Strict, Result);
  bool MayGain = Options.Clone && any_of(Result.Outcomes, isMissed);

  std::optional<SubsetConstruction> Subsets;
  if (MayGain)
    Subsets = constructSubsets(Program, Resolved, Options, Strict, Result);
  // Where all that is missed is inseparable, two versions stand.
  if (Subsets && missesSome(*Subsets, Result.Outcomes))
    merge(Program, Resolved, *Subsets, Strict, Result);

  if (Options.Clone) {
    TimeTraceScope Phase("Thermocline: minimize");
    Result.Decided = minimize(Program, Result.Decided);
    // What minimizing dropped may have been all that bound a cold context, so
    // the outcomes come after it.
    if (MayGain)
      Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    // Pruning asks what is missed. It leaves calls and versions that do the
    // same, or that nothing calls. In strict programs all of it is needed.
    if (MayGain && !Strict.any() && any_of(Result.Outcomes, isMissed)) {
      prune(Program, Resolved, Result.Outcomes, Result.Decided);
      Result.Decided = minimize(Program, Result.Decided);
      Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    }
  }
  Result.CollidesWith.resize(Program.numContexts());
  nameCollisions(Program, Subsets ? &*Subsets : nullptr, Result);
  return Result;
}
