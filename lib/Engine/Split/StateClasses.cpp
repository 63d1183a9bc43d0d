//===- Engine/Split/StateClasses.cpp - States merged, and unmerged --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace llvm;
using namespace thermocline::context;

StateClasses::StateClasses(const SubsetConstruction &Subsets,
                           const CallOrdinals &Ordinals)
    : Subsets(Subsets), Ordinals(Ordinals), CallMark(CallPool.mark()),
      LabelMark(LabelPool.mark()) {
  static_assert(sizeof(Class) == 32);
  All.reserve(Subsets.size());
  for (size_t I = 0; I != Subsets.size(); ++I) {
    StateId S(I);
    All.emplace_back(S, Subsets.transitions(S), Subsets.labels(S),
                     Subsets.leadsToNotCold(S), Subsets.leadsToCold(S));
  }
}

void StateClasses::settle(StateId C, uint32_t Version) {
  Class &Settled = All[C.index()];
  uint32_t Row = Rows.size();
  Rows.resize(Rows.size() + Ordinals.numCalls(function(C)));
  for (const Transition &T : Settled.calls())
    Rows[Row + Ordinals[T.Via]] = T.To;
  Settled.IsSettled = true;
  Settled.Settled = {Version, Row};
}

bool StateClasses::merge(StateId A, StateId B, size_t TooMuch) {
  Log.clear();
  RowLog.clear();
  CallMark = CallPool.mark();
  LabelMark = LabelPool.mark();
  Gained.clear();
  NumLearnt = 0;
  Visited = 0;
  if (disagree(A, B))
    return false;
  Pending.assign({{A, B}});
  while (!Pending.empty()) {
    auto [X, Y] = Pending.back();
    Pending.pop_back();
    ++Visited;
    X = find(X);
    Y = find(Y);
    if (X != Y && (!join(X, Y) || NumLearnt >= TooMuch)) {
      undo();
      return false;
    }
  }
  return true;
}

static bool haveConflict(ArrayRef<Label> A, ArrayRef<Label> B) {
  while (!A.empty() && !B.empty()) {
    if (A.front().Allocation == B.front().Allocation &&
        A.front().Wanted != B.front().Wanted)
      return true;
    ArrayRef<Label> &Behind =
        B.front().Allocation < A.front().Allocation ? B : A;
    Behind = Behind.drop_front();
  }
  return false;
}

/// Whether it is easily seen that \p A and \p B cannot be merged. Most merges
/// that are tried do not hold, and to change nothing until that is known costs
/// a fraction; so does to go down only where a cold label may meet a not-cold
/// one.
bool StateClasses::disagree(StateId A, StateId B) {
  constexpr unsigned MostPairs = 256;
  Pending.assign({{A, B}});
  for (unsigned I = 0; I != MostPairs && !Pending.empty(); ++I) {
    auto [X, Y] = Pending.back();
    Pending.pop_back();
    ++Visited;
    X = find(X);
    Y = find(Y);
    if (X == Y)
      continue;
    if (isSettled(Y))
      std::swap(X, Y);
    const Class &First = All[X.index()], &Second = All[Y.index()];
    if (Second.IsSettled)
      return true;
    if (!mayDisagree(First, Second))
      continue;
    if (haveConflict(First.labels(), Second.labels()))
      return true;
    if (First.IsSettled) {
      for (const Transition &T : Second.calls())
        if (StateId Called = Rows[First.Settled.Row + Ordinals[T.Via]])
          Pending.push_back({Called, T.To});
      continue;
    }
    ArrayRef<Transition> Mine = First.calls();
    for (const Transition &T : Second.calls()) {
      while (!Mine.empty() && Mine.front().Via < T.Via)
        Mine = Mine.drop_front();
      if (!Mine.empty() && Mine.front().Via == T.Via)
        Pending.push_back({Mine.front().To, T.To});
    }
  }
  return false;
}

bool StateClasses::join(StateId A, StateId B) {
  // A settled class stays the one that is found; else the greater does.
  auto Weight = [&](StateId C) {
    return std::tuple(isSettled(C), All[C.index()].Rank, C);
  };
  if (Weight(A) < Weight(B))
    std::swap(A, B);
  Class &Root = All[A.index()], &Joined = All[B.index()];
  if (Joined.IsSettled)
    return false;
  Log.push_back({B, A, Root});
  Joined.Parent = A;
  Root.Rank = std::max<unsigned>(Root.Rank, Joined.Rank + 1);
  Root.LeadsToNotCold |= Joined.LeadsToNotCold;
  Root.LeadsToCold |= Joined.LeadsToCold;
  if (!joinLabels(Root, Joined.labels()))
    return false;
  if (!Root.IsSettled) {
    joinCalls(Root, Joined.calls());
    return true;
  }
  for (const Transition &T : Joined.calls()) {
    uint32_t Cell = Root.Settled.Row + Ordinals[T.Via];
    if (Rows[Cell]) {
      Pending.push_back({Rows[Cell], T.To});
      continue;
    }
    Rows[Cell] = T.To;
    ++NumLearnt;
    RowLog.push_back(Cell);
    Gained.push_back(T.To);
  }
  return true;
}

bool StateClasses::joinLabels(Class &Root, ArrayRef<Label> Added) {
  if (Added.empty())
    return true;
  LabelScratch.clear();
  ArrayRef<Label> Mine = Root.labels();
  for (const Label &L : Added) {
    for (; !Mine.empty() && Mine.front().Allocation < L.Allocation;
         Mine = Mine.drop_front())
      LabelScratch.push_back(Mine.front());
    if (Mine.empty() || Mine.front().Allocation != L.Allocation)
      LabelScratch.push_back(L);
    else if (Mine.front().Wanted != L.Wanted)
      return false;
  }
  append_range(LabelScratch, Mine);
  if (LabelScratch.size() == Root.NumLabels)
    return true;
  NumLearnt += LabelScratch.size() - Root.NumLabels;
  Root.NumLabels = LabelScratch.size();
  Root.Labels =
      Slice<Label>(LabelScratch.size() == 1 ? ArrayRef(LabelScratch)
                                            : LabelPool.push(LabelScratch));
  return true;
}

void StateClasses::joinCalls(Class &Root, ArrayRef<Transition> Added) {
  if (Added.empty())
    return;
  CallScratch.clear();
  ArrayRef<Transition> Mine = Root.calls();
  for (const Transition &T : Added) {
    for (; !Mine.empty() && Mine.front().Via < T.Via; Mine = Mine.drop_front())
      CallScratch.push_back(Mine.front());
    if (Mine.empty() || Mine.front().Via != T.Via)
      CallScratch.push_back(T);
    else
      Pending.push_back({Mine.front().To, T.To});
  }
  append_range(CallScratch, Mine);
  if (CallScratch.size() == Root.NumCalls)
    return;
  NumLearnt += CallScratch.size() - Root.NumCalls;
  Root.NumCalls = CallScratch.size();
  Root.Calls =
      Slice<Transition>(CallScratch.size() == 1 ? ArrayRef(CallScratch)
                                                : CallPool.push(CallScratch));
}

void StateClasses::undo() {
  for (uint32_t Cell : RowLog)
    Rows[Cell] = StateId();
  for (const Change &C : reverse(Log)) {
    All[C.Child.index()].Parent = C.Child;
    All[C.Parent.index()] = C.Before;
  }
  CallPool.dropTo(CallMark);
  LabelPool.dropTo(LabelMark);
}
