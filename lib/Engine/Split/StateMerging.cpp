//===- Engine/Split/StateMerging.cpp - Few versions that keep all apart ---===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StateMerging.h"
#include "StateClasses.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <random>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

class StateMerger {
public:
  StateMerger(const ContextProgram &Program, const Resolution &Resolved,
              const SubsetConstruction &Subsets, uint32_t Order)
      : Program(Program), Resolved(Resolved), Subsets(Subsets),
        IsShuffled(Order != 0), Random(Order), Ordinals(Program, Resolved),
        Merged(Subsets, Ordinals), Versions(Program.numFunctions()),
        Efforts(Program.numFunctions()), ColdVersion(Program.numFunctions()),
        NeedsColdVersion(Program.numFunctions()) {}

  Decisions run() {
    for (size_t I = 0; I != Program.numFunctions(); ++I)
      settle(Subsets.original(FunctionId(I)));
    hashWhatIsBelow();
    placeMixed();
    findNeeds();
    placePure();
    return decide();
  }

  bool wasCutShort() const { return CutShort; }

private:
  std::vector<StateId> takeFromFringe();
  void settle(StateId Class);
  void placeMixed();
  void placeOrSettle(StateId Class);
  void findNeeds();
  std::vector<StateId> pureClasses();
  std::vector<bool> notColdInOriginals() const;
  void placePure();
  Decisions decide() const;
  void hashWhatIsBelow();
  bool placeWithTwin(StateId Class);
  bool isWorthASearch(FunctionId F) const;
  bool placeWhereLeastIsNew(StateId Class);
  bool tryMerge(StateId Class, StateId Settled, size_t TooMuch = ~size_t(0));

  const ContextProgram &Program;
  const Resolution &Resolved;
  const SubsetConstruction &Subsets;
  bool IsShuffled;
  std::minstd_rand Random;
  CallOrdinals Ordinals;
  StateClasses Merged;
  /// The class of each version, indexed by function and version.
  std::vector<SmallVector<StateId, 2>> Versions;
  /// Below is indexed by state and is equal for states that have the same calls
  /// and labels all the way down. FirstWith has the first state placed with
  /// each such value.
  /// @{
  std::vector<uint64_t> Below;
  DenseMap<uint64_t, StateId> FirstWith;
  /// @}
  /// What searches of a function's versions cost, indexed by function. Searches
  /// for twins do not count.
  struct Effort {
    uint64_t Wasted = 0;
    uint32_t Found = 0;
  };
  std::vector<Effort> Efforts;
  /// The class of a function's pure states, if there is one, indexed by
  /// function.
  std::vector<StateId> ColdVersion;
  std::vector<bool> NeedsColdVersion;
  /// The states that settled classes call.
  std::vector<StateId> Fringe;
  /// Pairs visited by merges that were not kept.
  uint64_t Wasted = 0;
  bool CutShort = false;
};

/// Takes any one state by dice, or else all, ordered by function: a function's
/// classes are compared with its versions and what those lead to, which is then
/// still in the cache.
std::vector<StateId> StateMerger::takeFromFringe() {
  if (IsShuffled) {
    std::swap(Fringe.back(), Fringe[Random() % Fringe.size()]);
    StateId Last = Fringe.back();
    Fringe.pop_back();
    return {Last};
  }
  std::vector<StateId> Taken = std::exchange(Fringe, {});
  std::vector<std::tuple<FunctionId, size_t, StateId>> Keys;
  Keys.reserve(Taken.size());
  for (StateId S : Taken)
    Keys.push_back({Subsets.function(S), Keys.size(), S});
  llvm::sort(Keys);
  llvm::transform(Keys, Taken.begin(),
                  [](const auto &Key) { return std::get<StateId>(Key); });
  return Taken;
}

void StateMerger::settle(StateId Class) {
  for (const Transition &T : Merged.calls(Class))
    Fringe.push_back(T.To);
  auto &Known = Versions[Merged.function(Class).index()];
  Merged.settle(Class, Known.size());
  Known.push_back(Class);
}

bool StateMerger::tryMerge(StateId Class, StateId Settled, size_t TooMuch) {
  if (!Merged.merge(Class, Settled, TooMuch)) {
    Wasted += Merged.visited();
    return false;
  }
  llvm::append_range(Fringe, Merged.gained());
  return true;
}

void StateMerger::hashWhatIsBelow() {
  Below.resize(Subsets.size());
  // What a state calls nearly always has a greater number. Where it has not, it
  // only counts as equal to itself.
  for (size_t I = Subsets.size(); I-- != 0;) {
    StateId S(I);
    SequenceHash Hash(1);
    Hash.add(Subsets.function(S).index());
    for (const Label &L : Subsets.labels(S))
      Hash.add(2 * uint64_t(L.Allocation.index()) +
               (L.Wanted == Temperature::Cold));
    for (const Transition &T : Subsets.transitions(S)) {
      Hash.add(T.Via.index());
      Hash.add(T.To.index() > I ? Below[T.To.index()] : T.To.index());
    }
    // The value must be less than the keys that DenseMap has reserved.
    Below[I] = Hash.value() >> 1;
  }
}

/// Where most states differ, but each from many versions only far down,
/// searching all versions finds next to nothing.
bool StateMerger::isWorthASearch(FunctionId F) const {
  constexpr uint64_t MostForNothing = 1000000, MostForOne = 1000;
  const Effort &Mine = Efforts[F.index()];
  return Mine.Wasted < MostForNothing + MostForOne * Mine.Found;
}

/// Places \p Class where one is that has the same below it, if its function
/// has so many versions that a look at each takes long.
bool StateMerger::placeWithTwin(StateId Class) {
  constexpr size_t FewVersions = 16;
  if (Versions[Merged.function(Class).index()].size() <= FewVersions)
    return false;
  auto [It, New] = FirstWith.try_emplace(Below[Class.index()], Class);
  if (New)
    return false;
  StateId Twin = Merged.find(It->second);
  return Merged.isSettled(Twin) && tryMerge(Class, Twin, /*TooMuch=*/1);
}

/// Each new constraint takes away some of a version's freedom, so a class goes
/// to the version that gains the fewest.
bool StateMerger::placeWhereLeastIsNew(StateId Class) {
  auto &Known = Versions[Merged.function(Class).index()];
  StateId Best;
  size_t Least = ~size_t(0);
  for (StateId Settled : Known) {
    bool Held = Merged.merge(Class, Settled, Least);
    if (Held && (Merged.numLearnt() == 0 || Settled == Known.back())) {
      llvm::append_range(Fringe, Merged.gained());
      return true;
    }
    Wasted += Merged.visited();
    if (!Held)
      continue;
    Best = Settled;
    Least = Merged.numLearnt();
    Merged.undo();
  }
  return Best && tryMerge(Class, Best);
}

/// Places \p Class, which leads to not-cold allocations, or makes it a version.
void StateMerger::placeOrSettle(StateId Class) {
  if (placeWithTwin(Class))
    return;
  const uint64_t MostWasted = 100 * Subsets.size() + 10000000;
  FunctionId F = Merged.function(Class);
  if (Wasted >= MostWasted || !isWorthASearch(F)) {
    CutShort = true;
    settle(Class);
    return;
  }
  const uint64_t Before = Wasted;
  if (placeWhereLeastIsNew(Class))
    ++Efforts[F.index()].Found;
  else
    settle(Class);
  Efforts[F.index()].Wasted += Wasted - Before;
}

void StateMerger::placeMixed() {
  // Merging may mix what was pure when its turn came: look again until all that
  // is left is pure.
  for (bool Changed = true; std::exchange(Changed, false);) {
    std::vector<StateId> Pure;
    while (!Fringe.empty())
      for (StateId S : takeFromFringe()) {
        StateId Class = Merged.find(S);
        if (Merged.isSettled(Class))
          continue;
        if (!Merged.leadsToNotCold(Class)) {
          Pure.push_back(Class);
          continue;
        }
        Changed = true;
        placeOrSettle(Class);
      }
    Fringe = std::move(Pure);
  }
}

/// \returns the pure classes that the fringe leads to.
std::vector<StateId> StateMerger::pureClasses() {
  std::vector<StateId> Classes;
  std::vector<bool> Seen(Subsets.size());
  auto See = [&](StateId S) {
    S = Merged.find(S);
    if (Merged.isSettled(S) || Seen[S.index()])
      return;
    Seen[S.index()] = true;
    Classes.push_back(S);
  };
  for (StateId S : Fringe)
    See(S);
  // The list grows during the loop.
  for (size_t I = 0; I != Classes.size(); ++I)
    for (const Transition &T : Merged.calls(Classes[I]))
      See(T.To);
  return Classes;
}

/// \returns for each allocation whether it is not cold in version 0.
std::vector<bool> StateMerger::notColdInOriginals() const {
  std::vector<bool> Result(Program.numAllocations());
  for (const auto &OfFunction : Versions)
    for (const Label &L : Merged.labels(OfFunction.front()))
      if (L.Wanted == Temperature::NotCold)
        Result[L.Allocation.index()] = true;
  return Result;
}

/// Finds the functions whose pure classes cannot be part of version 0: it has
/// an allocation or a callee that is not theirs, or calls the version 0 of such
/// a function.
void StateMerger::findNeeds() {
  std::vector<FunctionId> Needing;
  auto Need = [&](FunctionId F) {
    if (NeedsColdVersion[F.index()])
      return;
    NeedsColdVersion[F.index()] = true;
    Needing.push_back(F);
  };
  // This holds for each function those whose version 0 calls its version 0.
  std::vector<std::vector<FunctionId>> Callers(Program.numFunctions());
  const std::vector<bool> OriginalNotCold = notColdInOriginals();
  for (StateId Class : pureClasses()) {
    FunctionId F = Merged.function(Class);
    for (const Label &L : Merged.labels(Class))
      if (OriginalNotCold[L.Allocation.index()])
        Need(F);
    for (const Transition &T : Merged.calls(Class)) {
      StateId Called = Merged.called(Versions[F.index()].front(), T.Via);
      if (!Called)
        continue;
      Called = Merged.find(Called);
      if (!Merged.isSettled(Called))
        continue;
      if (Merged.version(Called) != 0)
        Need(F);
      else
        Callers[Merged.function(Called).index()].push_back(F);
    }
  }
  while (!Needing.empty()) {
    FunctionId F = Needing.back();
    Needing.pop_back();
    for (FunctionId Caller : Callers[F.index()])
      Need(Caller);
  }
}

void StateMerger::placePure() {
  // The fringe grows during the loop.
  for (size_t I = 0; I != Fringe.size(); ++I) {
    StateId Class = Merged.find(Fringe[I]);
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
  // These are indexed by call and version of the caller.
  std::vector<SmallVector<uint32_t, 2>> Clones(Resolved.numCalls());
  for (size_t I = 0; I != Program.numFunctions(); ++I)
    Result.NumVersions[I] = Versions[I].size();
  for (size_t I = 0; I != Resolved.numCalls(); ++I)
    for (StateId Version : Versions[Resolved[CallId(I)].Caller.index()]) {
      StateId Called = Merged.called(Version, CallId(I));
      Clones[I].push_back(Called ? Merged.version(Merged.find(Called)) : 0);
    }
  for (size_t I = 0; I != Program.numAllocations(); ++I)
    Result.Hints[I].resize(
        Versions[Program[AllocationId(I)].Owner.index()].size(),
        Result.Hints[I][0]);
  for (const auto &OfFunction : Versions)
    for (uint32_t V = 0; V != OfFunction.size(); ++V) {
      for (const Label &L : Merged.labels(OfFunction[V]))
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
                                            const SubsetConstruction &Subsets,
                                            uint32_t Order, bool &CutShort) {
  StateMerger Merger(Program, Resolved, Subsets, Order);
  Decisions Result = Merger.run();
  CutShort = Merger.wasCutShort();
  return Result;
}
