//===- Context/StateMerging.cpp - Few versions that keep all apart --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateMerging.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace llvm;
using namespace thermocline::context;

namespace {

/// Classes of states, merged with everything that follows from it, and undone.
class Classes {
public:
  explicit Classes(const Unfolding &Unfolded) : Unfolded(Unfolded) {
    for (size_t I = 0; I != Unfolded.size(); ++I) {
      StateId S(I);
      Class &C = All.emplace_back();
      C.Parent = S;
      C.LeadsToNotCold = Unfolded.leadsToNotCold(S);
      for (const Transition &T : Unfolded.transitions(S)) {
        C.Calls.push_back(T);
        CallOf[{S, T.Via}] = T.To;
      }
      C.Labels.append(Unfolded.labels(S).begin(), Unfolded.labels(S).end());
    }
  }

  StateId find(StateId S) const {
    while (All[S.index()].Parent != S)
      S = All[S.index()].Parent;
    return S;
  }

  /// The following take a class by the state that find() gives.
  /// @{
  bool isSettled(StateId C) const {
    return All[C.index()].Version != Unsettled;
  }
  uint32_t version(StateId C) const { return All[C.index()].Version; }
  void settle(StateId C, uint32_t Version) { All[C.index()].Version = Version; }
  bool leadsToNotCold(StateId C) const { return All[C.index()].LeadsToNotCold; }
  FunctionId function(StateId C) const { return Unfolded.function(C); }
  /// In no useful order, but the same on each run.
  ArrayRef<Transition> calls(StateId C) const { return All[C.index()].Calls; }
  ArrayRef<Label> labels(StateId C) const { return All[C.index()].Labels; }
  /// @}

  /// Merges \p A and \p B and all that they lead to by the same calls. If a
  /// cold label would meet a not-cold one, or two settled classes each other,
  /// nothing changes and the result is false.
  bool merge(StateId A, StateId B);

  /// The transitions that settled classes gained in the last merge.
  ArrayRef<Transition> gained() const { return Gained; }
  uint64_t wasted() const { return Wasted; }

private:
  static constexpr uint32_t Unsettled = ~0u;
  struct Class {
    StateId Parent;
    uint32_t Version = Unsettled;
    bool LeadsToNotCold = false;
    SmallVector<Transition, 4> Calls;
    SmallVector<Label, 1> Labels;
  };
  /// What merging Child into Parent changed.
  struct Change {
    StateId Child, Parent;
    uint32_t NumCalls, NumLabels;
    uint32_t Version;
    bool LeadsToNotCold;
  };

  bool join(StateId A, StateId B);
  void undo();

  const Unfolding &Unfolded;
  std::vector<Class> All;
  DenseMap<std::pair<StateId, CallId>, StateId> CallOf;
  std::vector<Change> Log;
  std::vector<std::pair<StateId, StateId>> Pending;
  std::vector<Transition> Gained;
  uint64_t Wasted = 0;
};

bool Classes::merge(StateId A, StateId B) {
  Log.clear();
  Pending.assign({{A, B}});
  uint64_t Visited = 0;
  while (!Pending.empty()) {
    auto [X, Y] = Pending.back();
    Pending.pop_back();
    ++Visited;
    X = find(X);
    Y = find(Y);
    if (X != Y && !join(X, Y)) {
      Wasted += Visited;
      undo();
      return false;
    }
  }
  Gained.clear();
  for (const Change &C : Log) {
    // The calls that came to a class which is settled now, from its own side or
    // from the other.
    StateId Now = find(C.Parent);
    if (!isSettled(Now))
      continue;
    ArrayRef<Transition> Calls = All[C.Parent.index()].Calls;
    ArrayRef<Transition> New = Calls.drop_front(C.NumCalls);
    Gained.insert(Gained.end(), New.begin(), New.end());
    if (C.Version == Unsettled)
      Gained.insert(Gained.end(), Calls.begin(), Calls.begin() + C.NumCalls);
  }
  return true;
}

bool Classes::join(StateId A, StateId B) {
  // The smaller goes into the greater.
  if (std::pair(All[A.index()].Calls.size(), B) <
      std::pair(All[B.index()].Calls.size(), A))
    std::swap(A, B);
  Class &Into = All[A.index()], &From = All[B.index()];
  if (Into.Version != Unsettled && From.Version != Unsettled)
    return false;
  Log.push_back({B, A, static_cast<uint32_t>(Into.Calls.size()),
                 static_cast<uint32_t>(Into.Labels.size()), Into.Version,
                 Into.LeadsToNotCold});
  From.Parent = A;
  if (Into.Version == Unsettled)
    Into.Version = From.Version;
  Into.LeadsToNotCold |= From.LeadsToNotCold;
  for (const Label &L : From.Labels) {
    const Label *Same = find_if(Into.Labels, [&](const Label &Other) {
      return Other.Allocation == L.Allocation;
    });
    if (Same == Into.Labels.end())
      Into.Labels.push_back(L);
    else if (Same->Wanted != L.Wanted)
      return false;
  }
  for (const Transition &T : From.Calls) {
    auto [It, New] = CallOf.try_emplace({A, T.Via}, T.To);
    if (New)
      Into.Calls.push_back(T);
    else
      Pending.push_back({It->second, T.To});
  }
  return true;
}

void Classes::undo() {
  for (const Change &C : reverse(Log)) {
    Class &Into = All[C.Parent.index()];
    All[C.Child.index()].Parent = C.Child;
    Into.Version = C.Version;
    Into.LeadsToNotCold = C.LeadsToNotCold;
    Into.Labels.truncate(C.NumLabels);
    while (Into.Calls.size() != C.NumCalls) {
      CallOf.erase({C.Parent, Into.Calls.back().Via});
      Into.Calls.pop_back();
    }
  }
}

class StateMerger {
public:
  StateMerger(const ContextProgram &Program, const Resolution &Resolved,
              const Unfolding &Unfolded)
      : Program(Program), Resolved(Resolved), Unfolded(Unfolded),
        Merged(Unfolded), Versions(Program.numFunctions()),
        ColdVersion(Program.numFunctions()),
        NeedsColdVersion(Program.numFunctions()) {}

  Decisions run() {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      settle(Unfolded.original(FunctionId(I)));
    placeMixed();
    findNeeds();
    placePure();
    return decide();
  }

  bool wasCutShort() const { return CutShort; }

private:
  void settle(StateId Class);
  void placeMixed();
  void findNeeds();
  void placePure();
  Decisions decide() const;
  bool tryMerge(StateId Class, StateId Settled);
  void enqueue(ArrayRef<Transition> Calls) {
    for (const Transition &T : Calls)
      Fringe.push_back(T.To);
  }

  const ContextProgram &Program;
  const Resolution &Resolved;
  const Unfolding &Unfolded;
  Classes Merged;
  /// By function and version, a state of the class.
  std::vector<SmallVector<StateId, 2>> Versions;
  /// By function, a state of the class of pure histories, where there is one.
  std::vector<StateId> ColdVersion;
  std::vector<bool> NeedsColdVersion;
  /// States that settled classes call.
  std::deque<StateId> Fringe;
  bool CutShort = false;
};

void StateMerger::settle(StateId Class) {
  auto &Known = Versions[Merged.function(Class).index()];
  Merged.settle(Class, Known.size());
  Known.push_back(Class);
  enqueue(Merged.calls(Class));
}

bool StateMerger::tryMerge(StateId Class, StateId Settled) {
  if (!Merged.merge(Class, Merged.find(Settled)))
    return false;
  enqueue(Merged.gained());
  return true;
}

void StateMerger::placeMixed() {
  const uint64_t MostWasted = 100 * Unfolded.size() + 10000000;
  // Merging may mix what was pure when its turn came: look again until all that
  // is left is pure.
  for (bool Changed = true; Changed;) {
    Changed = false;
    std::deque<StateId> Pure;
    for (; !Fringe.empty(); Fringe.pop_front()) {
      StateId Class = Merged.find(Fringe.front());
      if (Merged.isSettled(Class))
        continue;
      if (!Merged.leadsToNotCold(Class)) {
        Pure.push_back(Class);
        continue;
      }
      Changed = true;
      auto &Known = Versions[Merged.function(Class).index()];
      CutShort |= Merged.wasted() >= MostWasted;
      bool Placed = !CutShort && any_of(Known, [&](StateId Settled) {
        return tryMerge(Class, Settled);
      });
      if (!Placed)
        settle(Class);
    }
    Fringe = std::move(Pure);
  }
}

void StateMerger::findNeeds() {
  // The pure classes that settled ones lead to, and where a need would spread.
  std::vector<std::vector<FunctionId>> Spread(Program.numFunctions());
  std::vector<bool> Seen(Unfolded.size());
  std::vector<StateId> Worklist;
  auto See = [&](StateId S) {
    S = Merged.find(S);
    if (Merged.isSettled(S) || Seen[S.index()])
      return;
    Seen[S.index()] = true;
    Worklist.push_back(S);
  };
  for (StateId S : Fringe)
    See(S);

  std::vector<FunctionId> Needing;
  auto Need = [&](FunctionId F) {
    if (NeedsColdVersion[F.index()])
      return;
    NeedsColdVersion[F.index()] = true;
    Needing.push_back(F);
  };
  // What the originals call and want, to look up.
  DenseMap<CallId, StateId> CalledByOriginal;
  std::vector<bool> OriginalNotCold(Program.numAllocations());
  for (size_t I = 0; I != Program.numFunctions(); ++I) {
    StateId Original = Merged.find(Unfolded.original(FunctionId(I)));
    for (const Transition &T : Merged.calls(Original))
      CalledByOriginal[T.Via] = T.To;
    for (const Label &L : Merged.labels(Original))
      if (L.Wanted == Temperature::NotCold)
        OriginalNotCold[L.Allocation.index()] = true;
  }
  while (!Worklist.empty()) {
    StateId Class = Worklist.back();
    Worklist.pop_back();
    FunctionId F = Merged.function(Class);
    for (const Label &L : Merged.labels(Class))
      if (OriginalNotCold[L.Allocation.index()])
        Need(F);
    for (const Transition &T : Merged.calls(Class)) {
      See(T.To);
      auto It = CalledByOriginal.find(T.Via);
      if (It == CalledByOriginal.end())
        continue;
      StateId Called = Merged.find(It->second);
      if (!Merged.isSettled(Called))
        continue;
      if (Merged.version(Called) != 0)
        Need(F);
      else
        Spread[Merged.function(Called).index()].push_back(F);
    }
  }
  while (!Needing.empty()) {
    FunctionId F = Needing.back();
    Needing.pop_back();
    for (FunctionId Caller : Spread[F.index()])
      Need(Caller);
  }
}

void StateMerger::placePure() {
  for (; !Fringe.empty(); Fringe.pop_front()) {
    StateId Class = Merged.find(Fringe.front());
    if (Merged.isSettled(Class))
      continue;
    size_t F = Merged.function(Class).index();
    if (!NeedsColdVersion[F] && tryMerge(Class, Versions[F].front()))
      continue;
    if (ColdVersion[F] && tryMerge(Class, ColdVersion[F]))
      continue;
    settle(Class);
    if (!ColdVersion[F])
      ColdVersion[F] = Class;
  }
}

Decisions StateMerger::decide() const {
  Decisions Result = Decisions::none(Program);
  // By call and version of the caller.
  std::vector<SmallVector<uint32_t, 2>> Clones(Resolved.numCalls());
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Result.NumVersions[I] = Versions[I].size();
  for (size_t I = 0; I != Resolved.numCalls(); ++I)
    Clones[I].assign(Versions[Resolved[CallId(I)].Caller.index()].size(), 0);
  for (size_t I = 0; I != Program.numAllocations(); ++I)
    Result.Hints[I].resize(
        Versions[Program[AllocationId(I)].Owner.index()].size(),
        Result.Hints[I][0]);
  for (const auto &OfFunction : Versions)
    for (uint32_t V = 0; V != OfFunction.size(); ++V) {
      StateId Class = Merged.find(OfFunction[V]);
      for (const Transition &T : Merged.calls(Class)) {
        StateId Called = Merged.find(T.To);
        assert(Merged.isSettled(Called) && "a called class without a version");
        Clones[T.Via.index()][V] = Merged.version(Called);
      }
      for (const Label &L : Merged.labels(Class))
        Result.Hints[L.Allocation.index()][V] = L.Wanted;
    }
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    if (CallId C = Resolved.call(CallsiteId(I)))
      Result.Clones[I] = Clones[C.index()];
    else
      Result.Clones[I].assign(
          Versions[Program[CallsiteId(I)].Caller.index()].size(), 0);
  }
  return Result;
}

} // namespace

Decisions thermocline::context::mergeStates(const ContextProgram &Program,
                                            const Resolution &Resolved,
                                            const Unfolding &Unfolded,
                                            bool &CutShort) {
  StateMerger Merger(Program, Resolved, Unfolded);
  Decisions Result = Merger.run();
  CutShort = Merger.wasCutShort();
  return Result;
}
