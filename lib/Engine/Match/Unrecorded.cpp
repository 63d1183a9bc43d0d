//===- Engine/Match/Unrecorded.cpp - Calls without a record ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unrecorded.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace thermocline::context {

class UnrecordedCalls {
public:
  UnrecordedCalls(const ContextProgram &Program,
                  const CallsWithoutFrame &TailCalls,
                  const UnrecordedEnds &Ends, Resolution &Result)
      : Program(Program), CycleCallees(TailCalls.CycleCallees), Ends(Ends),
        Result(Result), IsEntered(Result.numTrieStates()),
        IsUnsure(Result.numTrieStates()), IsApart(Result.numTrieStates()),
        NotColdBelow(Result.numTrieStates()),
        OthersBelow(Result.numTrieStates()), HasCold(Program.numAllocations()),
        NewOf(Result.numTrieStates()), NotColdOf(Result.numTrieStates()) {
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (const Context &C = Program[ContextId(I)];
          C.Profiled == Temperature::Cold)
        HasCold.set(C.Allocation.index());
    for (CallId C : TailCalls.Calls)
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
      if (NotColdBelow.test(I) &&
          (IsUnsure.test(I) || isPassedBy(TrieStateId(I))))
        addTailCallers(Result[TrieStateId(I)].Function);
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
  /// at \p P or above, in a way that others are not bound in.
  bool isApart(TrieStateId P) const {
    return IsApart.test(P.index()) && !IsEntered.test(P.index());
  }
  bool isBoundApart(ContextId C) const {
    const Context &Mine = Program[C];
    return Mine.Profiled == Temperature::NotCold &&
           HasCold.test(Mine.Allocation.index()) && isApart(Result.leaf(C));
  }
  /// \returns whether a call leads to \p P that contexts list which came there
  /// in another way.
  bool isPassedBy(TrieStateId P) const {
    return any_of(Result.callersOf(P),
                  [&](TrieEdge E) { return Result[E.Via].mayBePassedBy(); });
  }
  /// \returns whether some call leads to \p F in a version that what ran before
  /// does not tell.
  bool isInAnyVersion(FunctionId F) const {
    return Program[F].EnteredInAnyVersion || CycleCallees.contains(F);
  }

  void findUnsure();
  void splitContexts();
  void addTailCallers(FunctionId F);
  void addTailEdges(FunctionId F);
  TrieStateId inAnyVersion(FunctionId F);
  void addEdge(TrieEdge E) {
    if (none_of(NewEdges, [&](TrieEdge Other) {
          return Other.Caller == E.Caller && Other.Via == E.Via;
        }))
      NewEdges.push_back(E);
  }
  void copy(TrieStateId P);
  TrieStateId add(const TrieState &P);

  const ContextProgram &Program;
  const DenseSet<FunctionId> &CycleCallees;
  const UnrecordedEnds &Ends;
  Resolution &Result;
  DenseMap<FunctionId, SmallVector<CallId, 2>> TailCallsTo;
  BitVector IsEntered;
  /// This is indexed by trie state and says whether some call above it may have
  /// no record.
  BitVector IsUnsure;
  /// This is indexed by trie state and says whether contexts that are not cold
  /// may have been entered there or above in another way than others.
  BitVector IsApart;
  /// These are indexed by trie state and count where IsApart holds. They say
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
  /// These were left by a tail call, in whatever version they ran.
  DenseMap<FunctionId, TrieStateId> AnyVersionOf;
  std::vector<TrieState> States;
  GroupedArray<TrieStateId, TrieEdge> Edges;
  /// These are the edges of the trie state that is added next. One to the trie
  /// state itself has no Caller.
  SmallVector<TrieEdge, 4> NewEdges;
  /// The key is a hash of a trie state with its edges, or the first number
  /// after it that no other has.
  DenseMap<uint64_t, TrieStateId> Known;
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
               [&](auto E) { return IsUnsure.test(E.Caller.index()); }))
      IsUnsure.set(I);
    if (IsUnsure.test(I) || isPassedBy(TrieStateId(I)) ||
        any_of(Result.callersOf(TrieStateId(I)),
               [&](auto E) { return IsApart.test(E.Caller.index()); }))
      IsApart.set(I);
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
        NotColdBelow.set(E.Caller.index());
      if (OthersBelow.test(I))
        OthersBelow.set(E.Caller.index());
    }
}

/// \returns the trie state of all contexts that came to \p F in whatever
/// version there is.
TrieStateId UnrecordedCalls::inAnyVersion(FunctionId F) {
  auto [It, New] = AnyVersionOf.try_emplace(F);
  if (New) {
    It->second = TrieStateId(States.size());
    TrieState Any;
    Any.Function = F;
    Any.BindsAllVersions = true;
    States.push_back(Any);
    Edges.endGroup();
  }
  return It->second;
}

/// Adds the functions from which tail calls lead to \p F, callers first.
void UnrecordedCalls::addTailCallers(FunctionId F) {
  SmallVector<FunctionId, 8> Stack = {F};
  while (!Stack.empty()) {
    FunctionId Callee = Stack.back();
    bool Waits = false;
    if (Program[Callee].Clonable)
      for (CallId C : TailCallsTo.lookup(Callee))
        if (!TailCallerAt.contains(Result[C].Caller)) {
          Waits = true;
          Stack.push_back(Result[C].Caller);
        }
    if (Waits)
      continue;
    Stack.pop_back();
    if (Stack.empty() || TailCallerAt.contains(Callee))
      continue;
    addTailEdges(Callee);
    TrieState Caller;
    Caller.Function = Callee;
    Caller.BindsOriginal = true;
    Caller.BindsAllVersions = isInAnyVersion(Callee);
    TailCallerAt[Callee] = add(Caller);
  }
}

/// Adds an edge for each tail call that leads to \p F.
void UnrecordedCalls::addTailEdges(FunctionId F) {
  if (!Program[F].Clonable)
    return;
  for (CallId C : TailCallsTo.lookup(F)) {
    addEdge({TailCallerAt.at(Result[C].Caller), C});
    if (Result[C].MayHaveLeftAFrame)
      addEdge({inAnyVersion(Result[C].Caller), C});
  }
}

/// Adds \p P with NewEdges, unless there is one like it. Frames above a call
/// without a record do not matter any more, so that contexts which differ there
/// alone have the same trie states.
TrieStateId UnrecordedCalls::add(const TrieState &P) {
  SequenceHash Hash(P.Function.index());
  Hash.add(P.BindsAllVersions << 1 | P.BindsOriginal);
  Hash.add(P.Obstacle ? static_cast<unsigned>(*P.Obstacle) + 1 : 0);
  for (TrieEdge E : NewEdges) {
    Hash.add(E.Caller ? E.Caller.index() + 1 : 0);
    Hash.add(E.Via.index());
  }
  const TrieStateId Next(States.size());
  auto CallerOf = [](TrieEdge E, TrieStateId Mine) {
    return E.Caller == Mine ? TrieStateId() : E.Caller;
  };
  auto IsLike = [&](TrieStateId Other) {
    const TrieState &O = States[Other.index()];
    return O.Function == P.Function &&
           O.BindsAllVersions == P.BindsAllVersions &&
           O.BindsOriginal == P.BindsOriginal && O.Obstacle == P.Obstacle &&
           equal(std::as_const(Edges)[Other], NewEdges,
                 [&](TrieEdge A, TrieEdge B) {
                   return A.Via == B.Via && CallerOf(A, Other) == B.Caller;
                 });
  };
  // The map reserves the highest keys.
  for (uint64_t Key = Hash.value() >> 1;; ++Key) {
    auto [It, New] = Known.try_emplace(Key, Next);
    if (!New && !IsLike(It->second))
      continue;
    if (New) {
      States.push_back(P);
      for (TrieEdge E : NewEdges)
        Edges.add({E.Caller ? E.Caller : Next, E.Via});
      Edges.endGroup();
    }
    NewEdges.clear();
    return It->second;
  }
}

void UnrecordedCalls::copy(TrieStateId P) {
  const TrieState &Old = Result[P];
  if (IsEntered.test(P.index())) {
    auto [It, New] = EnteredAt.try_emplace(
        {Old.Function, static_cast<unsigned>(*Old.Obstacle)});
    if (New) {
      addTailEdges(Old.Function);
      TrieState Entered = Old;
      Entered.BindsAllVersions |= isInAnyVersion(Old.Function);
      It->second = add(Entered);
    }
    NewOf[P.index()] = NotColdOf[P.index()] = It->second;
    return;
  }
  auto AddWith = [&](const std::vector<TrieStateId> &Callers,
                     const TrieState &New) {
    for (TrieEdge E : Result.callersOf(P))
      addEdge(
          {E.Caller == P ? TrieStateId() : Callers[E.Caller.index()], E.Via});
    return add(New);
  };
  TrieStateId &Others = NewOf[P.index()], &NotCold = NotColdOf[P.index()];
  if (!isApart(P) || OthersBelow.test(P.index())) {
    Others = NotCold = AddWith(NewOf, Old);
  }
  if (isApart(P) && NotColdBelow.test(P.index())) {
    TrieState Bound = Old;
    if (IsUnsure.test(P.index()) || isPassedBy(P)) {
      addTailEdges(Old.Function);
      Bound.BindsAllVersions |= isPassedBy(P)
                                    ? isInAnyVersion(Old.Function)
                                    : CycleCallees.contains(Old.Function);
      Bound.BindsOriginal = true;
    }
    NotCold = AddWith(NotColdOf, Bound);
  }
}

void thermocline::context::bindUnrecorded(const ContextProgram &Program,
                                          const CallsWithoutFrame &TailCalls,
                                          const UnrecordedEnds &Ends,
                                          Resolution &Result) {
  const bool IsPassedBy = any_of(seq(Result.numCalls()), [&](size_t I) {
    return Result[CallId(I)].mayBePassedBy();
  });
  if (!Ends.Entered.empty() || !Ends.FramesLeft.empty() || Ends.Ambiguous ||
      IsPassedBy)
    UnrecordedCalls(Program, TailCalls, Ends, Result).run();
}
