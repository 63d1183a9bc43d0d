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
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const Context &C = Program[ContextId(I)];
    if (C.Profiled != Temperature::Cold || !Resolved.counts(ContextId(I)))
      continue;
    PlaceId Leaf = Resolved.leaf(ContextId(I));
    const auto &Hints = Decided.Hints[C.Allocation.index()];
    Outcome Obstacle = Resolved[Leaf].Obstacle;
    if (all_of(Reached[Leaf],
               [&](uint32_t V) { return Hints[V] == Temperature::Cold; }))
      Result[I] = Outcome::HintedCold;
    else if (Resolved.ranElsewhere(ContextId(I)))
      Result[I] = Outcome::RanElsewhere;
    else
      Result[I] =
          Obstacle == Outcome::HintedCold ? Outcome::Collides : Obstacle;
  }
  return Result;
}
