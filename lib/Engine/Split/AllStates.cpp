//===- Engine/Split/AllStates.cpp - A version for each state --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AllStates.h"

using namespace llvm;
using namespace thermocline::context;

Decisions
thermocline::context::takeAllStates(const ContextProgram &Program,
                                    const Resolution &Resolved,
                                    const SubsetConstruction &Subsets) {
  Decisions Result;
  Result.NumVersions.assign(Program.numFunctions(), 0);
  // The originals are the first states, and so versions 0.
  std::vector<uint32_t> Version;
  for (size_t I = 0; I != Subsets.size(); ++I)
    Version.push_back(
        Result.NumVersions[Subsets.function(StateId(I)).index()]++);

  std::vector<SmallVector<uint32_t, 2>> Clones(Resolved.numCalls());
  for (size_t I = 0; I != Resolved.numCalls(); ++I)
    Clones[I].assign(Result.NumVersions[Resolved[CallId(I)].Caller.index()], 0);
  for (size_t I = 0; I != Program.numAllocations(); ++I)
    Result.Hints.emplace_back(
        Result.NumVersions[Program[AllocationId(I)].Owner.index()],
        Temperature::NotCold);
  for (size_t I = 0; I != Subsets.size(); ++I) {
    StateId S(I);
    for (const Transition &T : Subsets.transitions(S))
      Clones[T.Via.index()][Version[I]] = Version[T.To.index()];
    for (const Label &L : Subsets.labels(S))
      Result.Hints[L.Allocation.index()][Version[I]] = L.Wanted;
  }
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    if (CallId C = Resolved.call(CallsiteId(I)))
      Result.Clones.push_back(Clones[C.index()]);
    else
      Result.Clones.emplace_back(
          Result.NumVersions[Program[CallsiteId(I)].Caller.index()], 0);
  }
  return Result;
}
