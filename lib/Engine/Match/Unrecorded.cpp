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
        IsEntered(Result.numPlaces()), IsUnsure(Result.numPlaces()),
        NotColdBelow(Result.numPlaces()), OthersBelow(Result.numPlaces()),
        HasCold(Program.numAllocations()), NewOf(Result.numPlaces()),
        NotColdOf(Result.numPlaces()) {
    for (size_t I = 0; I != Program.numContexts(); ++I)
      if (const Context &C = Program[ContextId(I)];
          C.Profiled == Temperature::Cold)
        HasCold.set(C.Allocation.index());
    for (CallId C : TailCalls)
      TailCallsTo[Result[C].Callee].push_back(C);
    for (PlaceId P : Ends.Entered)
      IsEntered.set(P.index());
  }

  void run() {
    findUnsure();
    splitContexts();
    for (PlaceId P : Ends.Entered)
      addTailCallers(Result[P].Function);
    for (size_t I = 0; I != Result.numPlaces(); ++I)
      if (Result[PlaceId(I)].Function)
        copy(PlaceId(I));
    for (size_t I = 0; I != Program.numContexts(); ++I) {
      PlaceId &Leaf = Result.Leaves[I];
      Leaf = isBoundApart(ContextId(I)) ? NotColdOf[Leaf.index()]
                                        : NewOf[Leaf.index()];
    }
    Result.Places = std::move(Places);
    Result.Edges = std::move(Edges);
  }

private:
  /// Whether contexts below \p P may also come in at it, if they are not cold.
  bool isBelowEnd(PlaceId P) const {
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
  void copy(PlaceId P);
  PlaceId add(const Place &P) {
    Places.push_back(P);
    Edges.endGroup();
    return PlaceId(Places.size() - 1);
  }

  const ContextProgram &Program;
  const UnrecordedEnds &Ends;
  Resolution &Result;
  DenseMap<FunctionId, SmallVector<CallId, 2>> TailCallsTo;
  BitVector IsEntered;
  /// By place: whether some call above may have no record.
  BitVector IsUnsure;
  /// By unsure place: whether there are contexts below that are bound
  /// apart, and whether there are others.
  BitVector NotColdBelow, OthersBelow;
  /// By allocation: of the others, no version is ever hinted.
  BitVector HasCold;
  /// By place, that of all contexts, and of those that are bound apart.
  std::vector<PlaceId> NewOf, NotColdOf;
  /// By function and reason.
  DenseMap<std::pair<FunctionId, unsigned>, PlaceId> EnteredAt;
  /// The functions that were entered by a call without a record and leave by a
  /// tail call.
  DenseMap<FunctionId, PlaceId> TailCallerAt;
  std::vector<Place> Places;
  GroupedArray<PlaceId, PlaceEdge> Edges;
};

} // namespace thermocline::context

void UnrecordedCalls::findUnsure() {
  for (size_t I = 0; I != Result.numPlaces(); ++I) {
    const Place &P = Result.Places[I];
    // Above several chains of tail calls nobody looked.
    bool IsAmbiguous =
        P.BindsAllVersions && P.Obstacle == Outcome::AmbiguousTailCall;
    bool IsDead = !Ends.FramesLeft.empty() && Ends.FramesLeft[I] != 0;
    if (IsAmbiguous || IsDead ||
        any_of(Result.callersOf(PlaceId(I)),
               [&](auto E) { return IsUnsure.test(E.From.index()); }))
      IsUnsure.set(I);
  }
}

void UnrecordedCalls::splitContexts() {
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    BitVector &Below = isBoundApart(ContextId(I)) ? NotColdBelow : OthersBelow;
    Below.set(Result.Leaves[I].index());
  }
  for (size_t I = Result.numPlaces(); I-- != 0;)
    for (PlaceEdge E : Result.callersOf(PlaceId(I))) {
      if (NotColdBelow.test(I))
        NotColdBelow.set(E.From.index());
      if (OthersBelow.test(I))
        OthersBelow.set(E.From.index());
    }
}

/// Adds the functions that tail calls lead from to \p F, callers first.
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
    Place Caller;
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

void UnrecordedCalls::copy(PlaceId P) {
  const Place &Old = Result[P];
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
  auto AddWith = [&](const std::vector<PlaceId> &Callers, PlaceId Mine) {
    for (PlaceEdge E : Result.callersOf(P))
      Edges.add({E.From == P ? Mine : Callers[E.From.index()], E.Via});
  };
  PlaceId &Others = NewOf[P.index()], &NotCold = NotColdOf[P.index()];
  if (!isBelowEnd(P) || OthersBelow.test(P.index())) {
    AddWith(NewOf, PlaceId(Places.size()));
    Others = NotCold = add(Old);
  }
  if (isBelowEnd(P) && NotColdBelow.test(P.index())) {
    AddWith(NotColdOf, PlaceId(Places.size()));
    NotCold = add(Old);
    Places.back().BindsOriginal = true;
  }
}

void thermocline::context::bindUnrecorded(const ContextProgram &Program,
                                          ArrayRef<CallId> TailCalls,
                                          const UnrecordedEnds &Ends,
                                          Resolution &Result) {
  if (!Ends.Entered.empty() || !Ends.FramesLeft.empty() || Ends.Ambiguous)
    UnrecordedCalls(Program, TailCalls, Ends, Result).run();
}
