//===- Engine/Split/TwoVersions.cpp - The first, linear split -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TwoVersions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline::context;

namespace {

class Splitter {
public:
  Splitter(const ContextProgram &Program, const Resolution &Resolved)
      : Program(Program), Resolved(Resolved),
        NotColdBelow(Resolved.numTrieStates()),
        NotColdCall(Resolved.numCalls()), NeedsCold(Resolved.numCalls()),
        BoundCall(Resolved.numCalls()), BoundHint(Program.numAllocations()),
        HasCold(Program.numAllocations()), HasNotCold(Program.numAllocations()),
        Made(Program.numFunctions()) {}

  Decisions run() {
    readContexts();
    summarize();
    findNeeds();
    findMade();
    return decide();
  }

private:
  void readContexts();
  void summarize();
  void findNeeds();
  void findMade();
  Decisions decide() const;

  /// The versions of the callee that the original and the cold version call.
  uint32_t fromOriginal(CallId C) const {
    return NeedsCold[C.index()] && !NotColdCall[C.index()];
  }
  uint32_t fromCold(CallId C) const {
    return NeedsCold[C.index()] && !BoundCall[C.index()];
  }

  const ContextProgram &Program;
  const Resolution &Resolved;
  /// Whether not-cold contexts lie below a trie state, by trie state.
  std::vector<bool> NotColdBelow;
  /// These are indexed by call. They tell whether a not-cold context takes the
  /// call, whether a cold one takes it that nothing further down tells apart,
  /// and whether a not-cold one that binds every version begins with it.
  std::vector<bool> NotColdCall, NeedsCold, BoundCall;
  /// These are indexed by allocation. BoundHint tells whether a not-cold
  /// context binds it in every version.
  std::vector<bool> BoundHint, HasCold, HasNotCold;
  /// Whether a function's cold version is reached, indexed by function.
  std::vector<bool> Made;
};

void Splitter::readContexts() {
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I)
    for (ContextHere C : Resolved.contextsAt(TrieStateId(I))) {
      size_t A = C.allocation().index();
      if (C.isCold()) {
        HasCold[A] = true;
        continue;
      }
      NotColdBelow[I] = true;
      HasNotCold[A] = true;
      if (Resolved[TrieStateId(I)].BindsAllVersions)
        BoundHint[A] = true;
    }
}

void Splitter::summarize() {
  // What lies below a trie state has passed itself up when the trie state's
  // turn comes.
  for (size_t I = Resolved.numTrieStates(); I-- != 0;) {
    if (!NotColdBelow[I])
      continue;
    for (TrieEdge E : Resolved.callersOf(TrieStateId(I))) {
      NotColdBelow[E.Caller.index()] = true;
      NotColdCall[E.Via.index()] = true;
      if (Resolved[E.Caller].BindsAllVersions)
        BoundCall[E.Via.index()] = true;
    }
  }
}

void Splitter::findNeeds() {
  std::vector<bool> Undecided(Resolved.numTrieStates());
  for (size_t I = Resolved.numTrieStates(); I-- != 0;) {
    if (any_of(Resolved.contextsAt(TrieStateId(I)), [&](ContextHere C) {
          return C.isCold() && HasNotCold[C.allocation().index()] &&
                 !BoundHint[C.allocation().index()];
        }))
      Undecided[I] = true;
    if (!Undecided[I])
      continue;
    for (TrieEdge E : Resolved.callersOf(TrieStateId(I))) {
      NeedsCold[E.Via.index()] = true;
      if (NotColdCall[E.Via.index()])
        Undecided[E.Caller.index()] = true;
    }
  }
}

void Splitter::findMade() {
  std::vector<std::vector<CallId>> CallsOf(Program.numFunctions());
  std::vector<FunctionId> Worklist;
  auto Make = [&](FunctionId F) {
    if (Made[F.index()])
      return;
    Made[F.index()] = true;
    Worklist.push_back(F);
  };
  for (size_t I = 0; I != Resolved.numCalls(); ++I) {
    CallsOf[Resolved[CallId(I)].Caller.index()].push_back(CallId(I));
    if (fromOriginal(CallId(I)))
      Make(Resolved[CallId(I)].Callee);
  }
  while (!Worklist.empty()) {
    FunctionId F = Worklist.back();
    Worklist.pop_back();
    for (CallId C : CallsOf[F.index()])
      if (fromCold(C))
        Make(Resolved[C].Callee);
  }
}

Decisions Splitter::decide() const {
  Decisions Result = Decisions::none(Program);
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Result.NumVersions[I] = Made[I] ? 2 : 1;
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    CallId C = Resolved.call(CallsiteId(I));
    if (C)
      Result.Clones[I][0] = fromOriginal(C);
    if (Made[Program[CallsiteId(I)].Caller.index()])
      Result.Clones[I].push_back(C ? fromCold(C) : 0);
  }
  for (size_t I = 0; I != Program.numAllocations(); ++I)
    if (Made[Program[AllocationId(I)].Owner.index()])
      Result.Hints[I].push_back(HasCold[I] && !BoundHint[I]
                                    ? Temperature::Cold
                                    : Temperature::NotCold);
  return Result;
}

} // namespace

Decisions thermocline::context::splitInTwo(const ContextProgram &Program,
                                           const Resolution &Resolved) {
  return Splitter(Program, Resolved).run();
}
