//===- Engine/Match/Unrecorded.cpp - Calls without a record ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unrecorded.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace thermocline::context {

class UnrecordedCalls {
public:
  UnrecordedCalls(const ContextProgram &Program, ArrayRef<CallId> TailCalls,
                  const UnrecordedEnds &Ends, Resolution &Result)
      : Program(Program), Ends(Ends), Result(Result),
        IsEntered(Result.numTrieStates()), IsUnsure(Result.numTrieStates()),
        NotColdBelow(Result.numTrieStates()),
        OthersBelow(Result.numTrieStates()), HasCold(Program.numAllocations()),
        NewOf(Result.numTrieStates()), NotColdOf(Result.numTrieStates()) {
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (const Context &C = Program[ContextId(I)];
          C.Profiled == Temperature::Cold)
        HasCold.set(C.Allocation.index());
    for (CallId C : TailCalls)
      TailCallsTo[Result[C].Callee].push_back(C);
    for (TrieStateId P : Ends.Entered)
      IsEntered.set(P.index());
  }

  void run() {
    findUnsure();
    splitContexts();
    for (TrieStateId P : Ends.Entered)
      addTailCallers(Result[P].Function);
    for (size_t I = 0; I != Result.numTrieStates(); ++I)
      if (Result[TrieStateId(I)].Function)
        copy(TrieStateId(I));
    for (size_t I = 0; I != Program.numContexts(); ++I) {
      TrieStateId &Leaf = Result.Leaves[I];
      Leaf = isBoundApart(ContextId(I)) ? NotColdOf[Leaf.index()]
                                        : NewOf[Leaf.index()];
    }
    Result.States = std::move(States);
    Result.Edges = std::move(Edges);
  }

private:
  /// \returns whether contexts below \p P that are not cold may also be entered
  /// at \p P.
  bool isBelowEnd(TrieStateId P) const {
    return IsUnsure.test(P.index()) && !Result.callersOf(P).empty();
  }
  bool isBoundApart(ContextId C) const {
    const Context &Mine = Program[C];
    return Mine.Profiled == Temperature::NotCold &&
           HasCold.test(Mine.Allocation.index()) && isBelowEnd(Result.leaf(C));
  }

  void findUnsure();
  void splitContexts();
  void addTailCallers(FunctionId F);
  void addTailEdges(FunctionId F);
  void copy(TrieStateId P);
  TrieStateId add(const TrieState &P) {
    States.push_back(P);
    Edges.endGroup();
    return TrieStateId(States.size() - 1);
  }

  const ContextProgram &Program;
  const UnrecordedEnds &Ends;
  Resolution &Result;
  DenseMap<FunctionId, SmallVector<CallId, 2>> TailCallsTo;
  BitVector IsEntered;
  /// This is indexed by trie state and says whether some call above it may have
  /// no record.
  BitVector IsUnsure;
  /// These are indexed by trie state and count where it is unsure. They say
  /// whether contexts below are bound apart, and whether others are below.
  BitVector NotColdBelow, OthersBelow;
  /// This is indexed by allocation and says whether it has cold contexts. If it
  /// has none, no version of it is ever hinted.
  BitVector HasCold;
  /// These are indexed by the old trie state. NewOf holds the new trie state of
  /// all contexts, and NotColdOf that of the contexts that are bound apart.
  std::vector<TrieStateId> NewOf, NotColdOf;
  /// The key is a function and the reason why it is entered in version 0.
  DenseMap<std::pair<FunctionId, unsigned>, TrieStateId> EnteredAt;
  /// These functions were entered by a call without a record and left by a tail
  /// call.
  DenseMap<FunctionId, TrieStateId> TailCallerAt;
  std::vector<TrieState> States;
  GroupedArray<TrieStateId, TrieEdge> Edges;
};

} // namespace thermocline::context

void UnrecordedCalls::findUnsure() {
  for (size_t I = 0; I != Result.numTrieStates(); ++I) {
    const TrieState &P = Result.States[I];
    // Nothing above several chains of tail calls was looked at.
    bool IsAmbiguous =
        P.BindsAllVersions && P.Obstacle == Outcome::AmbiguousTailCall;
    bool IsDead = !Ends.FramesLeft.empty() && Ends.FramesLeft[I] != 0;
    if (IsAmbiguous || IsDead ||
        any_of(Result.callersOf(TrieStateId(I)),
               [&](auto E) { return IsUnsure.test(E.From.index()); }))
      IsUnsure.set(I);
  }
}

void UnrecordedCalls::splitContexts() {
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    BitVector &Below = isBoundApart(ContextId(I)) ? NotColdBelow : OthersBelow;
    Below.set(Result.Leaves[I].index());
  }
  for (size_t I = Result.numTrieStates(); I-- != 0;)
    for (TrieEdge E : Result.callersOf(TrieStateId(I))) {
      if (NotColdBelow.test(I))
        NotColdBelow.set(E.From.index());
      if (OthersBelow.test(I))
        OthersBelow.set(E.From.index());
    }
}

/// Adds the functions from which tail calls lead to \p F, callers first.
void UnrecordedCalls::addTailCallers(FunctionId F) {
  SmallVector<FunctionId, 8> Stack = {F};
  while (!Stack.empty()) {
    FunctionId At = Stack.back();
    bool Waits = false;
    if (Program[At].Clonable)
      for (CallId C : TailCallsTo.lookup(At))
        if (!TailCallerAt.contains(Result[C].Caller)) {
          Waits = true;
          Stack.push_back(Result[C].Caller);
        }
    if (Waits)
      continue;
    Stack.pop_back();
    if (Stack.empty() || TailCallerAt.contains(At))
      continue;
    addTailEdges(At);
    TrieState Caller;
    Caller.Function = At;
    Caller.BindsOriginal = true;
    TailCallerAt[At] = add(Caller);
  }
}

void UnrecordedCalls::addTailEdges(FunctionId F) {
  if (Program[F].Clonable)
    for (CallId C : TailCallsTo.lookup(F))
      Edges.add({TailCallerAt.at(Result[C].Caller), C});
}

void UnrecordedCalls::copy(TrieStateId P) {
  const TrieState &Old = Result[P];
  if (IsEntered.test(P.index())) {
    auto [It, New] = EnteredAt.try_emplace(
        {Old.Function, static_cast<unsigned>(*Old.Obstacle)});
    if (New) {
      addTailEdges(Old.Function);
      It->second = add(Old);
    }
    NewOf[P.index()] = NotColdOf[P.index()] = It->second;
    return;
  }
  auto AddWith = [&](const std::vector<TrieStateId> &Callers,
                     TrieStateId Mine) {
    for (TrieEdge E : Result.callersOf(P))
      Edges.add({E.From == P ? Mine : Callers[E.From.index()], E.Via});
  };
  TrieStateId &Others = NewOf[P.index()], &NotCold = NotColdOf[P.index()];
  if (!isBelowEnd(P) || OthersBelow.test(P.index())) {
    AddWith(NewOf, TrieStateId(States.size()));
    Others = NotCold = add(Old);
  }
  if (isBelowEnd(P) && NotColdBelow.test(P.index())) {
    AddWith(NotColdOf, TrieStateId(States.size()));
    NotCold = add(Old);
    States.back().BindsOriginal = true;
  }
}

void thermocline::context::bindUnrecorded(const ContextProgram &Program,
                                          ArrayRef<CallId> TailCalls,
                                          const UnrecordedEnds &Ends,
                                          Resolution &Result) {
  if (!Ends.Entered.empty() || !Ends.FramesLeft.empty() || Ends.Ambiguous)
    UnrecordedCalls(Program, TailCalls, Ends, Result).run();
}
