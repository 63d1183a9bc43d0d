//===- Engine/Budget/BudgetFit.cpp - Decisions that fit the budget --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BudgetFit.h"
#include "Split/Minimize.h"
#include "Split/TwoVersions.h"
#include "VersionBudget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/TimeProfiler.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace thermocline::context;

/// \returns the contexts to leave out so that, of all hinted contexts, only
/// \p Kept are sought. Cold contexts that are not hinted anyway would only cost
/// clones, so they are left out too. A strict program keeps them, because they
/// are part of what is decided there.
static BitVector allBut(const ContextProgram &Program, ArrayRef<ContextId> Kept,
                        bool IsStrict, ArrayRef<Outcome> Outcomes) {
  BitVector Result(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (IsStrict ? Outcomes[I] == Outcome::HintedCold
                 : Program[ContextId(I)].Profiled == Temperature::Cold)
      Result.set(I);
  for (ContextId C : Kept)
    Result.reset(C.index());
  return Result;
}

/// \returns the decisions for as many cold contexts as fit the budget, the
/// worthiest first. A strict program has no other way to fit: to drop a version
/// is not safe there, because a run that no context stands for may come from
/// there to a call in version 0 that leads to a cold version.
static Decisions fittingContexts(const ContextProgram &Program,
                                 const Resolution &Resolved,
                                 const EngineOptions &Options,
                                 const StrictAllocations &Strict,
                                 const Separation &Whole) {
  std::vector<ContextId> Hinted;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (Whole.Outcomes[I] == Outcome::HintedCold)
      Hinted.push_back(ContextId(I));
  llvm::sort(Hinted, [&](ContextId A, ContextId B) {
    return std::pair(Program.benefit(B), A) < std::pair(Program.benefit(A), B);
  });
  Decisions Best = withoutClones(Program, Strict);
  Resolution Fewer = Resolved;
  // More contexts need more instructions, apart from accidents of merging. The
  // search looks between the last number that fit and the first that did not,
  // at a place given by how much the one left and the other lacked. The first
  // contexts need most, so one end would stay where it is for long; whenever it
  // does, its distance is halved (the Illinois algorithm).
  const uint64_t Most = *Options.MaxInstructionsAdded;
  size_t Fits = 0, TooMany = Hinted.size();
  double Left = Most;
  double Lacking = instructionsAdded(Program, Whole.Decided) - Most;
  constexpr unsigned MaxTries = 8;
  std::optional<bool> DidFit;
  for (unsigned Try = 0; Try != MaxTries && TooMany - Fits > 1; ++Try) {
    double Share = Left / (Left + Lacking);
    size_t Number = Fits + std::clamp<size_t>((TooMany - Fits) * Share, 1,
                                              TooMany - Fits - 1);
    Fewer.leaveOut(Program, allBut(Program, ArrayRef(Hinted).take_front(Number),
                                   Strict.any(), Whole.Outcomes));
    Decisions Decided = separate(Program, Fewer, Options).Decided;
    uint64_t Need = instructionsAdded(Program, Decided);
    bool Fit = Need <= Most;
    bool Again = DidFit == Fit;
    DidFit = Fit;
    if (Fit) {
      Fits = Number;
      Left = Most - Need;
      Lacking /= Again ? 2 : 1;
      Best = std::move(Decided);
    } else {
      TooMany = Number;
      Lacking = Need - Most;
      Left /= Again ? 2 : 1;
    }
  }
  return Best;
}

/// \returns decisions that fit the budget, in place of those of \p Whole, which
/// do not.
static EvaluatedDecisions fittingDecisions(const ContextProgram &Program,
                                           const Resolution &Resolved,
                                           const EngineOptions &Options,
                                           const Separation &Whole) {
  StrictAllocations Strict(Program, Options.Strict);
  auto FewerContexts = [&] {
    return evaluate(Program, Resolved,
                    fittingContexts(Program, Resolved, Options, Strict, Whole));
  };
  if (Strict.any())
    return FewerContexts();
  uint64_t Most = *Options.MaxInstructionsAdded;
  // If merging gave up, the versions that the contexts of most benefit need are
  // many, and nothing else needs them.
  constexpr uint64_t FarTooMuch = 10;
  bool IsHopeless =
      Whole.MergingCutShort &&
      instructionsAdded(Program, Whole.Decided) / FarTooMuch > Most;
  EvaluatedDecisions Best =
      IsHopeless ? evaluate(Program, Resolved, withoutClones(Program, Strict))
                 : dropVersions(Program, Resolved, Whole.Outcomes,
                                Whole.Decided, Most);
  // If nothing was merged, each function has at most two versions already, and
  // a second start would be the same.
  if (!Whole.IsMerged)
    return Best;
  // Of two with equal benefit the first stands, so the order of the following
  // lines affects the decisions.
  auto Consider = [&](EvaluatedDecisions Other) {
    if (Other.Benefit > Best.Benefit)
      Best = std::move(Other);
  };
  // If each function has at most two versions, not-cold contexts stay where
  // they are, so that less depends on other things. This is often the better
  // start, though its end is worse.
  Decisions Two = minimize(Program, splitInTwo(Program, Resolved));
  Consider(dropVersions(Program, Resolved, outcomes(Program, Resolved, Two),
                        Two, Most));
  // If coldness does not follow callsites, all versions depend on each other,
  // and only fewer contexts help.
  Consider(FewerContexts());
  return Best;
}

void thermocline::context::fitBudget(const ContextProgram &Program,
                                     const Resolution &Resolved,
                                     const EngineOptions &Options,
                                     Separation &Result) {
  TimeTraceScope Phase("Thermocline: fit budget");
  EvaluatedDecisions Fitting =
      fittingDecisions(Program, Resolved, Options, Result);
  for (size_t I = 0; I != Fitting.Outcomes.size(); ++I)
    if (!isMissed(Result.Outcomes[I]) && isMissed(Fitting.Outcomes[I]))
      Fitting.Outcomes[I] = Outcome::OverBudget;
  Result.Decided = std::move(Fitting.Decided);
  Result.Outcomes = std::move(Fitting.Outcomes);
}
