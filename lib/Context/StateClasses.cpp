//===- Context/StateClasses.cpp - States merged, and unmerged -------------===//
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

void StateClasses::settle(StateId C, uint32_t Version) {
  Class &Settled = All[C.index()];
  Settled.Version = Version;
  Settled.Row = Rows.size();
  Rows.resize(Rows.size() + Ordinals.numCalls(function(C)));
  for (const Transition &T : Settled.Calls)
    Rows[Settled.Row + Ordinals[T.Via]] = T.To;
}

bool StateClasses::merge(StateId A, StateId B) {
  Log.clear();
  RowLog.clear();
  Gained.clear();
  NumLearnt = 0;
  Visited = 0;
  Pending.assign({{A, B}});
  while (!Pending.empty()) {
    auto [X, Y] = Pending.back();
    Pending.pop_back();
    ++Visited;
    X = find(X);
    Y = find(Y);
    if (X != Y && !join(X, Y)) {
      undo();
      return false;
    }
  }
  return true;
}

bool StateClasses::join(StateId A, StateId B) {
  // A settled class stays the one that is found; else the greater does.
  auto Weight = [&](StateId C) {
    return std::tuple(isSettled(C), All[C.index()].Rank, C);
  };
  if (Weight(A) < Weight(B))
    std::swap(A, B);
  Class &Into = All[A.index()], &From = All[B.index()];
  if (isSettled(B))
    return false;
  Log.push_back({B, A, Into});
  Parents[B.index()] = A;
  Into.Rank = std::max<unsigned>(Into.Rank, From.Rank + 1);
  Into.LeadsToNotCold |= From.LeadsToNotCold;
  if (!joinLabels(Into, From.Labels))
    return false;
  if (!isSettled(A)) {
    joinCalls(Into, From.Calls);
    return true;
  }
  for (const Transition &T : From.Calls) {
    uint32_t At = Into.Row + Ordinals[T.Via];
    if (Rows[At]) {
      Pending.push_back({Rows[At], T.To});
      continue;
    }
    Rows[At] = T.To;
    ++NumLearnt;
    RowLog.push_back(At);
    Gained.push_back(T.To);
  }
  return true;
}

bool StateClasses::joinLabels(Class &Into, ArrayRef<Label> From) {
  LabelScratch.clear();
  const Label *Mine = Into.Labels.begin();
  for (const Label &L : From) {
    for (; Mine != Into.Labels.end() && Mine->Allocation < L.Allocation; ++Mine)
      LabelScratch.push_back(*Mine);
    if (Mine == Into.Labels.end() || Mine->Allocation != L.Allocation)
      LabelScratch.push_back(L);
    else if (Mine->Wanted != L.Wanted)
      return false;
  }
  LabelScratch.append(Mine, Into.Labels.end());
  if (LabelScratch.size() == Into.Labels.size())
    return true;
  NumLearnt += LabelScratch.size() - Into.Labels.size();
  Into.Labels = ArrayRef(LabelScratch).copy(Pool);
  return true;
}

void StateClasses::joinCalls(Class &Into, ArrayRef<Transition> From) {
  CallScratch.clear();
  const Transition *Mine = Into.Calls.begin();
  for (const Transition &T : From) {
    for (; Mine != Into.Calls.end() && Mine->Via < T.Via; ++Mine)
      CallScratch.push_back(*Mine);
    if (Mine == Into.Calls.end() || Mine->Via != T.Via)
      CallScratch.push_back(T);
    else
      Pending.push_back({Mine->To, T.To});
  }
  CallScratch.append(Mine, Into.Calls.end());
  NumLearnt += CallScratch.size() - Into.Calls.size();
  if (CallScratch.size() != Into.Calls.size())
    Into.Calls = ArrayRef(CallScratch).copy(Pool);
}

void StateClasses::undo() {
  for (uint32_t At : RowLog)
    Rows[At] = StateId();
  for (const Change &C : reverse(Log)) {
    Parents[C.Child.index()] = C.Child;
    All[C.Parent.index()] = C.Before;
  }
}
