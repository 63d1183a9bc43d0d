//===- Engine/Engine.cpp - Decides versions for the whole link ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver of the engine. Contexts are matched to calls (Match/), cold ones
// are separated from the others by versions of functions (Split/), and versions
// that do not fit the growth budget are dropped (Budget/). The options
// MinContextSize and MaxFalseCold free some contexts: the engine then decides
// on a program without them. docs/engine.md describes all of this.
//
//===----------------------------------------------------------------------===//

#include "thermocline/Engine/Engine.h"
#include "Budget/BudgetFit.h"
#include "Budget/FreeContexts.h"
#include "Match/Resolver.h"
#include "Split/Outcomes.h"
#include "Split/Separation.h"
#include "Split/VersionSets.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/TimeProfiler.h"

using namespace llvm;
using namespace thermocline::context;

static Resolution match(const ContextProgram &Program) {
  TimeTraceScope Phase("Thermocline: match");
  return resolve(Program);
}

static void count(const ContextProgram &Program, EngineResult &Result) {
  EngineStatistics &Statistics = Result.Statistics;
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    auto O = static_cast<unsigned>(Result.Outcomes[I]);
    ++Statistics.ContextsByOutcome[O];
    Statistics.BytesByOutcome[O] += Program[ContextId(I)].Size.count();
  }
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    uint64_t Clones = Result.Decided.NumVersions[I] - 1;
    Statistics.ClonesMade += Clones;
    Statistics.InstructionsAdded +=
        Clones * Program[FunctionId(I)].Instructions;
  }
  for (const auto &Hints : Result.Decided.Hints)
    for (Temperature T : Hints)
      Statistics.HintsCold += T == Temperature::Cold;
}

/// Decides with every context of \p Program bound to its temperature.
static EngineResult decideBound(const ContextProgram &Program,
                                const EngineOptions &Options) {
  Resolution Resolved = match(Program);
  Separation Separated = separate(Program, Resolved, Options);

  EngineResult Result;
  Result.Statistics.SubsetsCutShort = Separated.SubsetsCutShort;
  Result.Statistics.MergingCutShort = Separated.MergingCutShort;
  // What was wanted before the budget was applied.
  Result.Statistics.InstructionsWanted =
      instructionsAdded(Program, Separated.Decided);
  if (Options.MaxInstructionsAdded &&
      Result.Statistics.InstructionsWanted > *Options.MaxInstructionsAdded)
    fitBudget(Program, Resolved, Options, Separated);

  Result.Decided = std::move(Separated.Decided);
  Result.Outcomes = std::move(Separated.Outcomes);
  Result.CollidesWith = std::move(Separated.CollidesWith);
  count(Program, Result);
  return Result;
}

/// Why a cold context of an allocation that takes no hint has none.
static Outcome whyNoHint(Hintable H) {
  switch (H) {
  case Hintable::Redefined:
    return Outcome::Redefined;
  case Hintable::NoVariant:
    return Outcome::NoVariant;
  case Hintable::OwnHint:
    return Outcome::OwnHint;
  default:
    return Outcome::TakesNoHint;
  }
}

/// Whether \p C is hinted cold in some way.
static bool reachesCold(const ContextProgram &Program,
                        const Resolution &Resolved,
                        const ReachedVersions &Reached,
                        const Decisions &Decided, ContextId C) {
  return any_of(Reached[Resolved.leaf(C)], [&](uint32_t V) {
    return Decided.Hints[Program[C].Allocation.index()][V] == Temperature::Cold;
  });
}

/// Decides with all contexts bound but \p Free.
static EngineResult decideFreeing(const ContextProgram &Program,
                                  const EngineOptions &Options,
                                  const std::vector<bool> &Free) {
  ReducedProgram Reduced = without(Program, Free);
  EngineResult Bound = decideBound(Reduced.Program, Options);

  // The decisions hold for the whole program. Its contexts take over the
  // outcomes of those that were bound.
  EngineResult Result;
  Result.Decided = std::move(Bound.Decided);
  // If an allocation has only contexts that are too small and all cold, it
  // costs nothing to hint it.
  Decisions None = Decisions::none(Program);
  for (size_t I = 0; !Options.Strict && I != Program.numAllocations(); ++I)
    if (Reduced.Program[AllocationId(I)].NumContexts == 0 &&
        None.Hints[I][0] == Temperature::Cold)
      for (Temperature &Hint : Result.Decided.Hints[I])
        Hint = Temperature::Cold;

  Resolution Resolved = match(Program);
  ReachedVersions Reached(Program, Resolved, Result.Decided);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  Result.CollidesWith.resize(Program.numContexts());
  for (size_t I = 0; I != Reduced.Originals.size(); ++I) {
    size_t Original = Reduced.Originals[I].index();
    Result.Outcomes[Original] = Bound.Outcomes[I];
    if (ContextId Rival = Bound.CollidesWith[I])
      Result.CollidesWith[Original] = Reduced.Originals[Rival.index()];
  }
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    Outcome &Mine = Result.Outcomes[I];
    if (!Free[I])
      continue;
    const Hintable H = Program[Program[ContextId(I)].Allocation].Hintable;
    if (!takesHint(H)) {
      if (isMissed(Mine))
        Mine = whyNoHint(H);
    } else if (isMissed(Mine))
      Mine = Outcome::WorthTooLittle;
    else if (Mine == Outcome::KeptNotCold &&
             reachesCold(Program, Resolved, Reached, Result.Decided,
                         ContextId(I)))
      Mine = Outcome::FalseCold;
  }
  count(Program, Result);
  Result.Statistics.InstructionsWanted = Bound.Statistics.InstructionsWanted;
  Result.Statistics.SubsetsCutShort = Bound.Statistics.SubsetsCutShort;
  Result.Statistics.MergingCutShort = Bound.Statistics.MergingCutShort;
  return Result;
}

/// Whether anything in \p Program may be run otherwise than contexts show.
static bool hasMarks(const ContextProgram &Program) {
  return any_of(
             seq(Program.numCallsites()),
             [&](size_t I) { return Program[CallsiteId(I)].MayEnterAgain; }) ||
         any_of(seq(Program.numFunctions()), [&](size_t I) {
           return Program[FunctionId(I)].MayBeInlinedAnywhere;
         });
}

/// \returns the contexts with a call on their way whose callee may be entered
/// again in another version than that call reaches.
static BitVector mayEnterAgain(const ContextProgram &Program,
                               const Resolution &Resolved,
                               const Decisions &Decided) {
  BitVector Below(Resolved.numTrieStates()), Result(Program.numContexts());
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I)
    if (any_of(Resolved.callersOf(TrieStateId(I)), [&](TrieEdge E) {
          const Call &Via = Resolved[E.Via];
          return Below.test(E.Caller.index()) ||
                 (Via.MayEnterAgain &&
                  Decided.NumVersions[Via.Callee.index()] > 1);
        }))
      Below.set(I);
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (Below.test(Resolved.leaf(ContextId(I)).index()))
      Result.set(I);
  return Result;
}

/// \returns the cold contexts that end at a call without a record and are
/// hinted only if that call has not inlined what it leads to, and so on down to
/// the allocation.
static BitVector mayBeInlined(const ContextProgram &Program,
                              const Resolution &Resolved,
                              const Decisions &Decided) {
  // Trie states with calls that may have been inlined; those that such calls
  // lead to.
  BitVector Inlined(Resolved.numTrieStates()), Below(Resolved.numTrieStates());
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I) {
    const TrieStateId P(I);
    const TrieState &Here = Resolved[P];
    if (any_of(Resolved.callersOf(P),
               [&](TrieEdge E) { return Inlined.test(E.Caller.index()); }))
      Below.set(I);
    const bool IsEnd = (Here.BindsOriginal || Here.BindsAllVersions) &&
                       Here.Obstacle == Outcome::UnmatchedFrame;
    if (Here.Function && Program[Here.Function].MayBeInlinedAnywhere &&
        (IsEnd || Below.test(I)))
      Inlined.set(I);
  }
  BitVector Result(Program.numContexts());
  if (Inlined.none())
    return Result;
  const ReachedVersions Reached(Program, Resolved, Decided, Below);
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const ContextId C(I);
    const TrieStateId Leaf = Resolved.leaf(C);
    const auto &Hints = Decided.Hints[Program[C].Allocation.index()];
    if (Program[C].Profiled == Temperature::Cold &&
        (Inlined.test(Leaf.index()) || any_of(Reached[Leaf], [&](uint32_t V) {
           return Hints[V] == Temperature::NotCold;
         })))
      Result.set(I);
  }
  return Result;
}

/// Tells hints apart that depend on where a pointer leads, or on what code
/// without a record inlined.
static void markUnsure(const ContextProgram &Program, EngineResult &Result) {
  EngineStatistics &Statistics = Result.Statistics;
  BitVector EntersAgain, Inlined;
  if (hasMarks(Program)) {
    const Resolution Resolved = match(Program);
    EntersAgain = mayEnterAgain(Program, Resolved, Result.Decided);
    Inlined = mayBeInlined(Program, Resolved, Result.Decided);
  }
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const Context &C = Program[ContextId(I)];
    if (Result.Outcomes[I] != Outcome::HintedCold)
      continue;
    Outcome Is;
    if (Program[C.Allocation].Hintable == Hintable::IfPointer)
      Is = Outcome::HintedIfPointer;
    else if (!EntersAgain.empty() && EntersAgain.test(I) &&
             is_contained(Result.Decided.Hints[C.Allocation.index()],
                          Temperature::NotCold))
      Is = Outcome::HintedIfNotAgain;
    else if (!Inlined.empty() && Inlined.test(I))
      Is = Outcome::HintedIfNotInlined;
    else
      continue;
    Result.Outcomes[I] = Is;
    for (auto [O, Sign] :
         {std::pair(Outcome::HintedCold, -1), std::pair(Is, 1)}) {
      Statistics.ContextsByOutcome[static_cast<unsigned>(O)] += Sign;
      Statistics.BytesByOutcome[static_cast<unsigned>(O)] +=
          Sign * C.Size.count();
    }
  }
}

EngineResult thermocline::context::decide(const ContextProgram &Program,
                                          const EngineOptions &Options) {
  std::vector<bool> Free = indifferent(Program, Options.MinContextSize);
  EngineResult Result = is_contained(Free, true)
                            ? decideFreeing(Program, Options, Free)
                            : decideBound(Program, Options);
  // A cold context may collide with several, of which each round names one.
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0;
       Round != MaxRounds && Options.MaxFalseCold.count() != 0 &&
       giveUp(Program, Result, Options.MaxFalseCold, Free);
       ++Round)
    Result = decideFreeing(Program, Options, Free);
  markUnsure(Program, Result);
  return Result;
}
