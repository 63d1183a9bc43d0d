//===- Engine/Engine.cpp - Decides versions for the whole link ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Engine/Engine.h"
#include "Budget/Choice.h"
#include "Match/FreeContexts.h"
#include "Match/Prune.h"
#include "Match/Resolution.h"
#include "Split/AllStates.h"
#include "Split/Minimize.h"
#include "Split/StateMerging.h"
#include "Split/TwoVersions.h"
#include "Split/VersionSets.h"
#include "Split/Walk.h"
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
  case Outcome::RanElsewhere:
    return "ran in an inlined copy";
  }
  llvm_unreachable("unknown outcome");
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
    Statistics.FunctionsCloned += Clones != 0;
    Statistics.InstructionsAdded +=
        Clones * Program[FunctionId(I)].Instructions;
  }
  for (const auto &Hints : Result.Decided.Hints)
    for (Temperature T : Hints)
      Statistics.HintsCold += T == Temperature::Cold;
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

/// One version of everything. A strict allocation is cold only if the profile
/// says so of whatever calls its function.
static Decisions withoutClones(const ContextProgram &Program,
                               const StrictAllocations &Strict) {
  Decisions Result = Decisions::none(Program);
  for (size_t I = 0; I != Program.numAllocations(); ++I) {
    const Allocation &A = Program[AllocationId(I)];
    if (!Strict[AllocationId(I)])
      continue;
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

namespace {

/// What is decided where clones may add any number of instructions.
struct UnlimitedResult {
  EngineResult Result;
  /// If the decisions came from merging: what that gave, the best first.
  std::vector<Decisions> Orders;
};

} // namespace

static UnlimitedResult decideUnlimited(const ContextProgram &Program,
                                       const Resolution &Resolved,
                                       const EngineOptions &Options);

/// The decisions for as many cold contexts, the worthiest first, as fit the
/// budget. Nothing else does where a program is strict, as dropping a version
/// does not: a run that no context stands for may come from there to a call in
/// version 0 that leads to a cold one.
static Decisions fittingContexts(const ContextProgram &Program,
                                 const Resolution &Resolved,
                                 const EngineOptions &Options,
                                 const StrictAllocations &Strict,
                                 const EngineResult &Result) {
  std::vector<ContextId> Hinted;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (Result.Outcomes[I] == Outcome::HintedCold)
      Hinted.push_back(ContextId(I));
  llvm::sort(Hinted, [&](ContextId A, ContextId B) {
    return std::pair(Program.worth(B), A) < std::pair(Program.worth(A), B);
  });
  Decisions Best = withoutClones(Program, Strict);
  Resolution Fewer = Resolved;
  // More contexts need more, but for accidents of merging: what the last that
  // fit and the first that did not need tells where to look between them.
  const uint64_t Most = *Options.MaxInstructionsAdded;
  size_t Fits = 0, TooMany = Hinted.size();
  uint64_t FitsNeed = 0,
           TooManyNeed = instructionsAdded(Program, Result.Decided);
  constexpr unsigned MaxTries = 8;
  for (unsigned Try = 0; Try != MaxTries && TooMany - Fits > 1; ++Try) {
    double Share = double(Most - FitsNeed) / double(TooManyNeed - FitsNeed);
    size_t Number = Fits + std::clamp<size_t>((TooMany - Fits) * Share, 1,
                                              TooMany - Fits - 1);
    BitVector LeftOut(Program.numContexts());
    for (ContextId C : ArrayRef(Hinted).drop_front(Number))
      LeftOut.set(C.index());
    Fewer.leaveOut(Program, LeftOut);
    Decisions Decided = decideUnlimited(Program, Fewer, Options).Result.Decided;
    uint64_t Need = instructionsAdded(Program, Decided);
    if (Need > Most) {
      TooMany = Number;
      TooManyNeed = Need;
      continue;
    }
    Fits = Number;
    FitsNeed = Need;
    Best = std::move(Decided);
  }
  return Best;
}

/// What fits the budget of the decisions of \p Result, which do not. If they
/// came from merging, \p Orders are what that gave, theirs first.
static Decisions fittingDecisions(const ContextProgram &Program,
                                  const Resolution &Resolved,
                                  const EngineOptions &Options,
                                  std::vector<Decisions> Orders,
                                  const EngineResult &Result) {
  StrictAllocations Strict(Program, Options.Strict);
  if (Strict.any())
    return fittingContexts(Program, Resolved, Options, Strict, Result);
  uint64_t Most = *Options.MaxInstructionsAdded;
  auto Fitting = [&](const Decisions &Decided) {
    return dropVersions(Program, Resolved, outcomes(Program, Resolved, Decided),
                        Decided, Most);
  };
  // Where merging gave up, what the worthiest contexts need is scattered over
  // versions that nothing else needs.
  constexpr uint64_t FarTooMuch = 10;
  bool IsHopeless = Result.Statistics.MergingCutShort &&
                    Result.Statistics.InstructionsWanted / FarTooMuch > Most;
  Decisions Best =
      IsHopeless ? withoutClones(Program, Strict) : Fitting(Result.Decided);
  if (Orders.empty())
    return Best;
  // In two versions a function not-cold contexts stay where they are, so that
  // less hangs together: often the better start, though its end is worse.
  Orders.front() = minimize(Program, splitInTwo(Program, Resolved));
  auto Worth = [&](const Decisions &Decided) {
    return worthHinted(Program, outcomes(Program, Resolved, Decided));
  };
  uint64_t MostWorth = Worth(Best);
  auto Consider = [&](Decisions Other) {
    uint64_t Mine = Worth(Other);
    if (Mine <= MostWorth)
      return;
    MostWorth = Mine;
    Best = std::move(Other);
  };
  for (const Decisions &Start : Orders)
    Consider(Fitting(Start));
  // Where cold follows no callsites, everything hangs together with everything.
  Consider(fittingContexts(Program, Resolved, Options, Strict, Result));
  return Best;
}

static void fitBudget(const ContextProgram &Program, const Resolution &Resolved,
                      const EngineOptions &Options,
                      std::vector<Decisions> Orders, EngineResult &Result) {
  Result.Decided =
      fittingDecisions(Program, Resolved, Options, std::move(Orders), Result);
  std::vector<Outcome> Now = outcomes(Program, Resolved, Result.Decided);
  for (size_t I = 0; I != Now.size(); ++I)
    if (!isMissed(Result.Outcomes[I]) && isMissed(Now[I]))
      Now[I] = Outcome::OverBudget;
  Result.Outcomes = std::move(Now);
}

/// What comes first decides what later classes find to be merged with. Small
/// programs, above all recursive ones, are worth several tries. The one that
/// adds least is the first of the result.
static std::vector<Decisions> mergeInSomeOrders(const ContextProgram &Program,
                                                const Resolution &Resolved,
                                                const Unfolding &Unfolded,
                                                bool &CutShort) {
  constexpr size_t MostStates = 20000, MostTries = 16;
  size_t Tries = std::clamp<size_t>(MostStates / Unfolded.size(), 1, MostTries);
  std::vector<Decisions> Result;
  uint64_t Least = 0;
  for (size_t Order = 0; Order != Tries; ++Order) {
    bool WasCutShort = false;
    Result.push_back(minimize(
        Program, mergeStates(Program, Resolved, Unfolded, Order, WasCutShort)));
    uint64_t Added = instructionsAdded(Program, Result.back());
    if (Order != 0 && Added >= Least)
      continue;
    std::swap(Result.front(), Result.back());
    Least = Added;
    CutShort = WasCutShort;
  }
  return Result;
}

static UnlimitedResult decideUnlimited(const ContextProgram &Program,
                                       const Resolution &Resolved,
                                       const EngineOptions &Options) {
  StrictAllocations Strict(Program, Options.Strict);
  EngineResult Result;
  Result.Decided = Options.Clone && !Strict.any()
                       ? splitInTwo(Program, Resolved)
                       : withoutClones(Program, Strict);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  Result.CollidesWith.resize(Program.numContexts());
  std::optional<Unfolding> Unfolded;
  bool UnfoldingCutShort = false, MergingCutShort = false;
  std::vector<Decisions> Orders;
  if (Options.Clone && any_of(Result.Outcomes, isMissed)) {
    uint64_t MaxStates = Options.MaxUnfoldedStates
                             ? Options.MaxUnfoldedStates
                             : 4 * Resolved.numPlaces() + 1000000;
    Unfolded.emplace(Program, Resolved, MaxStates, Strict,
                     /*Explicit=*/Strict.any() && !Strict.all());
    if (!Unfolded->isComplete()) {
      UnfoldingCutShort = true;
      Unfolded.reset();
    } else if (missesSome(*Unfolded, Result.Outcomes)) {
      Orders = Strict.all()
                   ? std::vector{takeAllStates(Program, Resolved, *Unfolded)}
                   : mergeInSomeOrders(Program, Resolved, *Unfolded,
                                       MergingCutShort);
      Result.Decided = Orders.front();
    }
  }
  if (Options.Clone)
    Result.Decided = minimize(Program, Result.Decided);
  // What minimizing dropped may have been all that bound a cold context.
  if (any_of(Result.Outcomes, isMissed)) {
    Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    if (Options.Clone && !Strict.any() && any_of(Result.Outcomes, isMissed)) {
      prune(Program, Resolved, Result.Outcomes, Result.Decided);
      Result.Decided = minimize(Program, Result.Decided);
      Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
    }
    nameCollisions(Program, Unfolded ? &*Unfolded : nullptr, Result);
  }
  Result.Statistics.InstructionsWanted =
      instructionsAdded(Program, Result.Decided);
  Result.Statistics.UnfoldingCutShort = UnfoldingCutShort;
  Result.Statistics.MergingCutShort = MergingCutShort;
  return {std::move(Result), std::move(Orders)};
}

/// With every context of \p Program bound to its temperature.
static EngineResult decideBound(const ContextProgram &Program,
                                const EngineOptions &Options) {
  Resolution Resolved(Program, Options.Threads);
  auto [Result, Orders] = decideUnlimited(Program, Resolved, Options);
  if (Options.MaxInstructionsAdded &&
      Result.Statistics.InstructionsWanted > *Options.MaxInstructionsAdded)
    fitBudget(Program, Resolved, Options, std::move(Orders), Result);
  count(Program, Result);
  return std::move(Result);
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

/// With all but \p Free contexts bound.
static EngineResult decideFreeing(const ContextProgram &Program,
                                  const EngineOptions &Options,
                                  const std::vector<bool> &Free) {
  ReducedProgram Reduced = without(Program, Free);
  EngineResult Bound = decideBound(Reduced.Program, Options);
  EngineResult Result;
  Result.Decided = std::move(Bound.Decided);
  // Where only contexts that are too small were, being all cold costs nothing.
  Decisions None = Decisions::none(Program);
  for (size_t I = 0; !Options.Strict && I != Program.numAllocations(); ++I)
    if (Reduced.Program[AllocationId(I)].NumContexts == 0 &&
        None.Hints[I][0] == Temperature::Cold)
      for (Temperature &Hint : Result.Decided.Hints[I])
        Hint = Temperature::Cold;

  Resolution Resolved(Program, Options.Threads);
  ReachedVersions Reached(Program, Resolved, Result.Decided);
  Result.Outcomes = outcomes(Program, Resolved, Result.Decided);
  Result.CollidesWith.resize(Program.numContexts());
  for (size_t I = 0; I != Reduced.Originals.size(); ++I) {
    size_t Original = Reduced.Originals[I].index();
    Result.Outcomes[Original] = Bound.Outcomes[I];
    if (ContextId With = Bound.CollidesWith[I])
      Result.CollidesWith[Original] = Reduced.Originals[With.index()];
  }
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    Outcome &Mine = Result.Outcomes[I];
    if (!Free[I])
      continue;
    if (isMissed(Mine))
      Mine = Outcome::WorthTooLittle;
    else if (Mine == Outcome::KeptNotCold &&
             reachesCold(Program, Resolved, Reached, Result.Decided,
                         ContextId(I)))
      Mine = Outcome::FalseCold;
  }
  count(Program, Result);
  Result.Statistics.InstructionsWanted = Bound.Statistics.InstructionsWanted;
  Result.Statistics.UnfoldingCutShort = Bound.Statistics.UnfoldingCutShort;
  Result.Statistics.MergingCutShort = Bound.Statistics.MergingCutShort;
  return Result;
}

EngineResult thermocline::context::decide(const ContextProgram &Program,
                                          const EngineOptions &Options) {
  std::vector<bool> Free = tooSmall(Program, Options.MinContextSize);
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
  return Result;
}
