//===- Context/Walk.cpp - Where resolved contexts end ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

std::vector<Outcome>
thermocline::context::outcomes(const ContextProgram &Program,
                               const Resolution &Resolved,
                               const Decisions &Decided) {
  // Decisions are equal for all callsites of a call.
  std::vector<CallsiteId> CallsiteOf(Resolved.numCalls());
  for (size_t I = Program.numCallsites(); I-- != 0;)
    if (CallId C = Resolved.call(CallsiteId(I)))
      CallsiteOf[C.index()] = CallsiteId(I);

  // The versions in which each place is reached: callers come first, so a place
  // is complete when its turn comes.
  std::vector<SmallVector<uint32_t, 2>> Versions(Resolved.numPlaces());
  std::vector<Outcome> Result(Program.numContexts(), Outcome::KeptNotCold);
  for (PlaceId P : Resolved.topDown()) {
    const Place &Here = Resolved[P];
    auto &Reached = Versions[P.index()];
    if (Here.BindsAllVersions) {
      Reached.clear();
      for (uint32_t V = 0; V != Decided.NumVersions[Here.Function.index()]; ++V)
        Reached.push_back(V);
    } else if (Here.BindsOriginal) {
      Reached.push_back(0);
    }
    llvm::sort(Reached);
    Reached.erase(std::unique(Reached.begin(), Reached.end()), Reached.end());

    for (const PlaceEdge &E : Resolved.edges(P)) {
      const auto &Clones = Decided.Clones[CallsiteOf[E.Via.index()].index()];
      for (uint32_t V : Reached)
        Versions[E.To.index()].push_back(Clones[V]);
    }
    for (ContextId C : Resolved.contextsAt(P)) {
      if (Program[C].Profiled != Temperature::Cold)
        continue;
      const auto &Hints = Decided.Hints[Program[C].Allocation.index()];
      bool AllCold = all_of(
          Reached, [&](uint32_t V) { return Hints[V] == Temperature::Cold; });
      if (AllCold)
        Result[C.index()] = Outcome::HintedCold;
      else
        Result[C.index()] = Here.Obstacle == Outcome::HintedCold
                                ? Outcome::Collides
                                : Here.Obstacle;
    }
    Reached = {};
  }
  return Result;
}
