//===- lto/link/report/ChosenReasons.cpp - Calls of ifuncs as a reason ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChosenReasons.h"
#include "thermocline/Audit/Audit.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

/// Whether \p Walk ends at a call of one of \p Chosen, or goes on above one
/// that cannot be redirected.
static bool endsBelow(const ContextProgram &Program,
                      const annotate::ChosenFunctions &Chosen,
                      const ContextWalk &Walk) {
  auto IsChosen = [&](const ContextWalk::Stop &S) {
    return Chosen.contains(Program[S.Function].Name);
  };
  size_t Last = 0;
  for (const ContextWalk::Stop &S : Walk.Stops)
    Last = std::max(Last, S.Frame);
  return any_of(Walk.Stops,
                [&](const ContextWalk::Stop &S) {
                  return S.Frame == Last && IsChosen(S);
                }) ||
         any_of(Walk.Steps, [&](const ContextWalk::Step &S) {
           return Program[S.Via].Redirectable != Redirect::Yes &&
                  IsChosen(Walk.Stops[S.Below]);
         });
}

void thermocline::lto::nameChosen(const ContextProgram &Program,
                                  const annotate::ChosenFunctions &Chosen,
                                  EngineResult &Result) {
  if (Chosen.empty())
    return;
  ContextWalker Walker(Program, Result.Decided);
  for (auto [I, Mine] : enumerate(Result.Outcomes)) {
    if (Mine != Outcome::UnmatchedFrame && Mine != Outcome::OutsideLink &&
        Mine != Outcome::IndirectCall)
      continue;
    const ContextId Id(static_cast<uint32_t>(I));
    const ContextWalk Walk = Walker.walk(Id, /*RanElsewhere=*/false);
    if (!endsBelow(Program, Chosen, Walk))
      continue;
    EngineStatistics &Counts = Result.Statistics;
    auto Move = [&](Outcome O, int64_t Sign) {
      Counts.ContextsByOutcome[static_cast<unsigned>(O)] += Sign;
      Counts.BytesByOutcome[static_cast<unsigned>(O)] +=
          Sign * static_cast<int64_t>(Program[Id].Size.count());
    };
    Move(Mine, -1);
    Mine = Outcome::ChosenAtStart;
    Move(Mine, 1);
  }
}
