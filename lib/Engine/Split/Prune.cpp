//===- Engine/Split/Prune.cpp - No version for nothing --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prune.h"
#include "VersionSets.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

void thermocline::context::prune(const ContextProgram &Program,
                                 const Resolution &Resolved,
                                 ArrayRef<Outcome> Outcomes,
                                 Decisions &Decided) {
  std::vector<CallsiteId> OfCalls = callsitesOfCalls(Program, Resolved);
  ReachedVersions Reached(Program, Resolved, Decided);
  // The version that a call goes to if it is taken, else 0; indexed by call and
  // version of the caller.
  std::vector<SmallVector<uint32_t, 2>> Taken;
  for (CallsiteId C : OfCalls)
    Taken.emplace_back(Decided.Clones[C.index()].size(), 0);
  // What lies below a trie state has said so when the trie state's turn comes.
  std::vector<bool> Matters(Resolved.numTrieStates());
  for (size_t I = Resolved.numTrieStates(); I-- != 0;) {
    if (any_of(Resolved.contextsAt(TrieStateId(I)), [&](ContextHere C) {
          return !C.isCold() || Outcomes[C.id().index()] == Outcome::HintedCold;
        }))
      Matters[I] = true;
    if (!Matters[I])
      continue;
    for (TrieEdge E : Resolved.callersOf(TrieStateId(I))) {
      Matters[E.Caller.index()] = true;
      size_t Via = E.Via.index();
      for (uint32_t V : Reached[E.Caller])
        Taken[Via][V] = Decided.Clones[OfCalls[Via].index()][V];
    }
  }
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (CallId C = Resolved.call(CallsiteId(I)))
      Decided.Clones[I] = Taken[C.index()];
}
