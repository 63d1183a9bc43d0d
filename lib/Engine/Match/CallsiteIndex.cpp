//===- Engine/Match/CallsiteIndex.cpp - Callsites by what they match ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallsiteIndex.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline::context;

CallsiteIndex::CallsiteIndex(const ContextProgram &Program,
                             const FrameNumbers &Numbers)
    : Program(Program) {
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    for (StackId S : Program.stackIds(CallsiteId(I)))
      Frames.add(Numbers[S]);
    Frames.endGroup();
  }
  CallOf.assign(Program.numCallsites(), CallId());
  sort();
  groupByFrame(Numbers.size());
  findRepeating(Numbers.size());
  sortTailCalls();
}

int CallsiteIndex::compare(CallsiteId A, CallsiteId B) const {
  const Callsite &X = Program[A], &Y = Program[B];
  ArrayRef<FrameId> XFrames = frames(A), YFrames = frames(B);
  if (XFrames.front() != YFrames.front())
    return XFrames.front() < YFrames.front() ? -1 : 1;
  if (X.Callee != Y.Callee)
    return X.Callee < Y.Callee ? -1 : 1;
  if (XFrames != YFrames)
    return std::lexicographical_compare(XFrames.begin(), XFrames.end(),
                                        YFrames.begin(), YFrames.end())
               ? -1
               : 1;
  if (X.Redirectable != Y.Redirectable)
    return X.Redirectable < Y.Redirectable ? -1 : 1;
  if (X.Caller != Y.Caller)
    return X.Caller < Y.Caller ? -1 : 1;
  if (X.IsThroughPointer != Y.IsThroughPointer)
    return X.IsThroughPointer < Y.IsThroughPointer ? -1 : 1;
  if (X.MayEnterAgain != Y.MayEnterAgain)
    return X.MayEnterAgain < Y.MayEnterAgain ? -1 : 1;
  return 0;
}

void CallsiteIndex::sort() {
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (Program[CallsiteId(I)].NumStackIds != 0)
      Sorted.push_back(CallsiteId(I));
  llvm::sort(Sorted, [&](CallsiteId A, CallsiteId B) {
    int Order = compare(A, B);
    return Order != 0 ? Order < 0 : A < B;
  });
  for (size_t I = 0; I != Sorted.size(); ++I) {
    const Callsite &C = Program[Sorted[I]];
    if (!C.Callee || C.Redirectable != Redirect::Yes)
      continue;
    if (I == 0 || compare(Sorted[I - 1], Sorted[I]) != 0)
      Calls.push_back(
          {C.Caller, C.Callee, C.IsThroughPointer, C.MayEnterAgain});
    CallOf[Sorted[I].index()] = CallId(Calls.size() - 1);
  }
}

void CallsiteIndex::groupByFrame(size_t NumFrames) {
  uint32_t Begin = 0;
  for (uint32_t I = 0; I != NumFrames; ++I) {
    auto HasFrame = [&](uint32_t Position) {
      return Position != Sorted.size() &&
             frames(Sorted[Position]).front() == FrameId(I);
    };
    while (HasFrame(Begin)) {
      FunctionId Callee = Program[Sorted[Begin]].Callee;
      uint32_t End = Begin + 1;
      while (HasFrame(End) && Program[Sorted[End]].Callee == Callee)
        ++End;
      Groups.add({Callee, Begin, End});
      Begin = End;
    }
    Groups.endGroup();
  }
}

void CallsiteIndex::findRepeating(size_t NumFrames) {
  if (!Program.foldsRecursion())
    return;
  for (CallsiteId C : Sorted) {
    ArrayRef<FrameId> Mine = frames(C);
    if (std::adjacent_find(Mine.begin(), Mine.end()) == Mine.end())
      continue;
    Repeating.resize(NumFrames);
    Repeating.set(Mine.front().index());
  }
}

/// \returns the functions that no cycle of the calls leads to.
static DenseSet<FunctionId> peel(ArrayRef<Call> Calls) {
  DenseMap<FunctionId, unsigned> Incoming;
  DenseMap<FunctionId, SmallVector<FunctionId, 2>> Callees;
  for (const Call &C : Calls) {
    Incoming.try_emplace(C.Caller);
    ++Incoming[C.Callee];
    Callees[C.Caller].push_back(C.Callee);
  }
  std::vector<FunctionId> Free;
  for (auto [F, Number] : Incoming)
    if (Number == 0)
      Free.push_back(F);
  DenseSet<FunctionId> Result;
  while (!Free.empty()) {
    FunctionId F = Free.back();
    Free.pop_back();
    Result.insert(F);
    for (FunctionId Callee : Callees.lookup(F))
      if (--Incoming[Callee] == 0)
        Free.push_back(Callee);
  }
  return Result;
}

/// Drops tail calls that are on a cycle of tail calls, or on a way from one
/// cycle to another, because no context says how often a run went round. Calls
/// that are left out reach version 0, which is always safe.
void CallsiteIndex::dropCycles(std::vector<CallsiteId> &TailCalls) {
  std::vector<Call> Calls, Reversed;
  for (CallsiteId C : TailCalls) {
    Calls.push_back({Program[C].Caller, Program[C].Callee});
    Reversed.push_back({Program[C].Callee, Program[C].Caller});
  }
  DenseSet<FunctionId> AfterNoCycle = peel(Calls);
  DenseSet<FunctionId> BeforeNoCycle = peel(Reversed);
  for (const Call &C : Calls)
    if (!AfterNoCycle.contains(C.Caller) && !BeforeNoCycle.contains(C.Caller))
      OnTailCycle.insert(C.Caller);
  llvm::erase_if(TailCalls, [&](CallsiteId C) {
    return !AfterNoCycle.contains(Program[C].Caller) &&
           !BeforeNoCycle.contains(Program[C].Callee);
  });
}

/// Calls of one caller and callee that leave no frame are one call, but for
/// those that have stack ids as well: contexts tell these from each other.
void CallsiteIndex::sortTailCalls() {
  std::vector<CallsiteId> All, Redirected;
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    if ((C.NumStackIds != 0 && !C.MayLeaveNoFrame) || !C.Callee)
      continue;
    All.push_back(CallsiteId(I));
    if (C.Redirectable == Redirect::Yes)
      Redirected.push_back(CallsiteId(I));
  }
  dropCycles(Redirected);
  auto Ends = [&](CallsiteId C) {
    return std::pair(Program[C].Caller, Program[C].Callee);
  };
  auto Key = [&](CallsiteId C) {
    return std::tuple(Ends(C), Program[C].NumStackIds != 0, C);
  };
  llvm::sort(Redirected,
             [&](CallsiteId A, CallsiteId B) { return Key(A) < Key(B); });
  DenseSet<CallsiteId> IsRedirected;
  std::set<std::pair<FunctionId, FunctionId>> MustTail;
  for (CallsiteId C : Redirected)
    if (Program[C].MayLeaveNoFrame)
      MustTail.insert(Ends(C));
  CallId First;
  for (size_t I = 0; I != Redirected.size(); ++I) {
    CallsiteId C = Redirected[I];
    IsRedirected.insert(C);
    const bool IsFirst = I == 0 || Ends(C) != Ends(Redirected[I - 1]);
    CallId &Mine = CallOf[C.index()];
    if (Program[C].NumStackIds == 0) {
      if (IsFirst) {
        Calls.push_back({Program[C].Caller, Program[C].Callee});
        Calls.back().MayHaveLeftAFrame = MustTail.count(Ends(C));
      }
      Mine = IsFirst ? CallId(Calls.size() - 1) : First;
      Calls[Mine.index()].MayEnterAgain |= Program[C].MayEnterAgain;
    }
    if (IsFirst) {
      First = Mine;
      TailEdges[Program[C].Caller].push_back({Program[C].Callee, First});
    }
    SmallVector<CallId, 1> &Same = SameEnds[First];
    if (llvm::is_contained(Same, Mine))
      continue;
    Same.push_back(Mine);
    TailCalls.push_back(Mine);
  }
  for (CallsiteId C : All)
    if (!IsRedirected.contains(C)) {
      TailEdges[Program[C].Caller].push_back(
          {Program[C].Callee, CallId::none()});
      if (CallOf[C.index()])
        CycleCallees.insert(Program[C].Callee);
    }
}

ArrayRef<CallsiteId> CallsiteIndex::narrow(ArrayRef<CallsiteId> Range,
                                           size_t Depth, FrameId Frame) const {
  auto Less = [&](CallsiteId C, FrameId F) {
    ArrayRef<FrameId> Mine = frames(C);
    return Mine.size() <= Depth || Mine[Depth] < F;
  };
  auto Greater = [&](FrameId F, CallsiteId C) {
    ArrayRef<FrameId> Mine = frames(C);
    return Mine.size() > Depth && F < Mine[Depth];
  };
  auto *Begin = std::lower_bound(Range.begin(), Range.end(), Frame, Less);
  auto *End = std::upper_bound(Begin, Range.end(), Frame, Greater);
  return ArrayRef(Begin, End);
}

bool CallsiteIndex::isTailReached(FunctionId From, FunctionId To) const {
  DenseSet<FunctionId> Reached;
  SmallVector<FunctionId, 8> Worklist = {From};
  while (!Worklist.empty()) {
    auto Edges = TailEdges.find(Worklist.pop_back_val());
    if (Edges == TailEdges.end())
      continue;
    for (const TailEdge &E : Edges->second)
      if (E.Callee == To)
        return true;
      else if (Reached.insert(E.Callee).second)
        Worklist.push_back(E.Callee);
  }
  return false;
}

CallId CallsiteIndex::lastTailCall(FunctionId From, FunctionId To,
                                   bool &Several) {
  auto [It, New] = Chains.try_emplace({From, To});
  if (New) {
    // This holds the functions at which chains of one length end, and how many
    // chains end at each. The number 2 stands for two or more.
    MapVector<FunctionId, unsigned> Ends;
    Ends[From] = OnTailCycle.contains(From) ? 2 : 1;
    unsigned Found = 0;
    for (unsigned Length = 1; Length <= 2 * MaxTailCalls; ++Length) {
      MapVector<FunctionId, unsigned> Longer;
      for (auto [F, Number] : Ends) {
        auto Edges = TailEdges.find(F);
        if (Edges == TailEdges.end())
          continue;
        for (const TailEdge &E : Edges->second) {
          bool Counts = E.Via && Length <= MaxTailCalls &&
                        !OnTailCycle.contains(E.Callee);
          unsigned Chains = Counts ? Number : 2;
          if (E.Callee == To) {
            Found = std::min(Found + Chains, 2u);
            It->second.Last = E.Via;
          }
          unsigned &Known = Longer[E.Callee];
          Known = std::min(Known + Chains, 2u);
        }
      }
      Ends = std::move(Longer);
    }
    if (Found == 0 && !Ends.empty() && isTailReached(From, To))
      Found = 2;
    if (Found > 1)
      It->second = {CallId(), true};
  }
  Several |= It->second.Several;
  return It->second.Last;
}
