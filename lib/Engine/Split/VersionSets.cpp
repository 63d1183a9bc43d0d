//===- Engine/Split/VersionSets.cpp - In which versions trie states run ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VersionSets.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

uint32_t VersionSets::finish() {
  if (Scratch.size() > 1) {
    llvm::sort(Scratch);
    Scratch.erase(llvm::unique(Scratch), Scratch.end());
  }
  if (Scratch.size() == 1 && Scratch[0] < Singles.size() &&
      Singles[Scratch[0]] != None)
    return Singles[Scratch[0]];
  auto [It, New] =
      Known.try_emplace(std::vector<uint32_t>(Scratch.begin(), Scratch.end()),
                        Versions.numGroups());
  if (New) {
    Versions.append(Scratch);
    Versions.endGroup();
  }
  if (Scratch.size() == 1) {
    if (Singles.size() <= Scratch[0])
      Singles.resize(Scratch[0] + 1, None);
    Singles[Scratch[0]] = It->second;
  }
  return It->second;
}

std::vector<CallsiteId>
thermocline::context::callsitesOfCalls(const ContextProgram &Program,
                                       const Resolution &Resolved) {
  std::vector<CallsiteId> Result(Resolved.numCalls());
  for (size_t I = Program.numCallsites(); I-- != 0;)
    if (CallId C = Resolved.call(CallsiteId(I)))
      Result[C.index()] = CallsiteId(I);
  return Result;
}

/// Lays the clones of all calls out in one stretch of memory.
static GroupedArray<CallId, uint32_t>
clonesByCall(const ContextProgram &Program, const Resolution &Resolved,
             const Decisions &Decided) {
  GroupedArray<CallId, uint32_t> Result;
  for (CallsiteId C : callsitesOfCalls(Program, Resolved)) {
    Result.append(Decided.Clones[C.index()]);
    Result.endGroup();
  }
  return Result;
}

ReachedVersions::ReachedVersions(const ContextProgram &Program,
                                 const Resolution &Resolved,
                                 const Decisions &Decided,
                                 const BitVector &AlsoOriginal)
    : Numbers(Resolved.numTrieStates(), VersionSets::Empty) {
  const auto Next = clonesByCall(Program, Resolved, Decided);
  // Callers come first, so what reaches a trie state is known when its turn
  // comes.
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I) {
    const TrieState &Here = Resolved[TrieStateId(I)];
    if (!Here.Function)
      continue;
    Sets.begin();
    if (Here.BindsAllVersions)
      for (uint32_t V = 0; V != Decided.NumVersions[Here.Function.index()]; ++V)
        Sets.add(V);
    else if (Here.BindsOriginal ||
             (!AlsoOriginal.empty() && AlsoOriginal.test(I)))
      Sets.add(0);
    for (TrieEdge E : Resolved.callersOf(TrieStateId(I)))
      if (E.Caller != TrieStateId(I))
        for (uint32_t V : Sets[Numbers[E.Caller.index()]])
          Sets.add(Next[E.Via][V]);
    for (TrieEdge E : Resolved.callersOf(TrieStateId(I)))
      if (E.Caller == TrieStateId(I))
        Sets.closeUnder(Next[E.Via]);
    Numbers[I] = Sets.finish();
  }
}
