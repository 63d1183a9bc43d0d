//===- Engine/Match/Resolution.cpp - Contexts matched to callsites --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolution.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;
using namespace thermocline::context;

void Resolution::groupContexts(const ContextProgram &Program) {
  ContextsAt = {States.size(), [&](auto Add) {
                  for (size_t I = 0; I != Leaves.size(); ++I)
                    if (ContextId C(I); counts(C))
                      Add(Leaves[I], ContextHere(C, Program[C]));
                }};
}

void Resolution::leaveOut(const ContextProgram &Program,
                          const BitVector &Contexts) {
  LeftOut = Contexts;
  groupContexts(Program);
  Needed.clear();
  Needed.resize(States.size());
  for (size_t I = States.size(); I-- != 0;) {
    if (!contextsAt(TrieStateId(I)).empty())
      Needed.set(I);
    if (Needed.test(I))
      for (TrieEdge E : callersOf(TrieStateId(I)))
        Needed.set(E.Caller.index());
  }
}

TrieCallees::TrieCallees(const Resolution &Resolved)
    : Edges(Resolved.numTrieStates(), [&](auto Add) {
        for (size_t I = 0; I != Resolved.numTrieStates(); ++I)
          if (TrieStateId To(I); Resolved.isNeeded(To))
            for (TrieEdge E : Resolved.callersOf(To))
              Add(E.Caller, Edge{E.Via, To});
      }) {
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I)
    llvm::sort(Edges[TrieStateId(I)], [](const Edge &A, const Edge &B) {
      return std::pair(A.Via, A.To) < std::pair(B.Via, B.To);
    });
}
