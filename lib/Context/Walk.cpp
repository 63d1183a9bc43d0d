//===- Context/Walk.cpp - Where resolved contexts end ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk.h"
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
  for (size_t I = 0; I != Resolved.numPlaces(); ++I) {
    PlaceId P(I);
    const Place &Here = Resolved[P];
    for (ContextId C : Resolved.contextsAt(P)) {
      if (Program[C].Profiled != Temperature::Cold)
        continue;
      const auto &Hints = Decided.Hints[Program[C].Allocation.index()];
      bool AllCold = all_of(Reached[P], [&](uint32_t V) {
        return Hints[V] == Temperature::Cold;
      });
      if (AllCold)
        Result[C.index()] = Outcome::HintedCold;
      else
        Result[C.index()] = Here.Obstacle == Outcome::HintedCold
                                ? Outcome::Collides
                                : Here.Obstacle;
    }
  }
  return Result;
}
