//===- bench/engine/LowerBound.cpp - Clones that are needed at least ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sets are found greedily, the states with most labels below first: they
// have most to disagree about.
//
//===----------------------------------------------------------------------===//

#include "LowerBound.h"
#include "Match/Resolver.h"
#include "Split/StateClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

/// Labels on the ways of at most \p Length calls down from each state.
static std::vector<double> countLabels(const SubsetConstruction &Subsets,
                                       unsigned Length) {
  std::vector<double> Below(Subsets.size()), Next(Subsets.size());
  for (unsigned Round = 0; Round <= Length; ++Round) {
    for (size_t I = 0; I != Subsets.size(); ++I) {
      Next[I] = Subsets.labels(StateId(I)).size();
      for (const Transition &T : Subsets.transitions(StateId(I)))
        Next[I] += Below[T.To.index()];
    }
    std::swap(Below, Next);
  }
  return Below;
}

uint64_t
thermocline::context::clonesNeededAtLeast(const ContextProgram &Program) {
  Resolution Resolved = resolve(Program);
  StrictAllocations Strict(Program, /*All=*/false);
  SubsetConstruction Subsets(Program, Resolved, ~0u, Strict,
                             /*Explicit=*/Strict.any());
  CallOrdinals Ordinals(Program, Resolved);
  StateClasses Classes(Subsets, Ordinals);
  std::vector<double> Labels = countLabels(Subsets, 16);

  std::vector<std::vector<StateId>> States(Program.numFunctions());
  for (size_t I = 0; I != Subsets.size(); ++I)
    States[Subsets.function(StateId(I)).index()].push_back(StateId(I));
  uint64_t Clones = 0;
  for (auto &Mine : States) {
    llvm::sort(Mine, [&](StateId A, StateId B) {
      return std::pair(-Labels[A.index()], A) <
             std::pair(-Labels[B.index()], B);
    });
    SmallVector<StateId, 8> Disagreeing;
    for (StateId S : Mine)
      if (none_of(Disagreeing, [&](StateId Other) {
            bool Agrees = Classes.merge(S, Other);
            if (Agrees)
              Classes.undo();
            return Agrees;
          }))
        Disagreeing.push_back(S);
    // The original is a state of its own, even of what nothing is known.
    Clones += std::max<size_t>(Disagreeing.size(), 1) - 1;
  }
  return Clones;
}
