//===- Engine/Match/Resolver.cpp - Matches contexts to callsites ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolver.h"
#include "CallsiteIndex.h"
#include "ContextTrie.h"
#include "Unrecorded.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

using namespace llvm;
using namespace thermocline::context;

namespace thermocline::context {

/// Builds a Resolution. Until they are numbered, trie states have the number of
/// their node, or one past all nodes where the node has another function
/// already.
class Resolver {
public:
  Resolver(const ContextProgram &Program, Resolution &Result)
      : Program(Program), Result(Result), Numbers(Program),
        Callsites(Program, Numbers), Trie(std::in_place, Program, Numbers),
        NumNodes(Trie->size()) {
    findOnlyMatches();
  }

  void run() {
    resolveAll();
    numberStates();
    findInlined();
    Result.Calls = Callsites.takeCalls();
    Result.CallOf = Callsites.takeCallOf();
    bindUnrecorded(Program, {Callsites.tailCalls(), Callsites.cycleCallees()},
                   {Unrecorded, FramesLeft, HasAmbiguous}, Result);
    Result.groupContexts(Program);
    passObstaclesDown();
  }

private:
  /// A call that always reaches version 0 has its reason encoded in place of a
  /// CallId.
  static CallId cut(Outcome Reason) {
    return CallId(FirstCut + static_cast<uint32_t>(Reason));
  }
  static bool isCut(CallId Via) { return Via.index() >= FirstCut; }
  static Outcome reason(CallId Via) {
    return static_cast<Outcome>(Via.index() - FirstCut);
  }
  static constexpr uint32_t FirstCut = ~0u - 2 - NumOutcomes;

  /// What a walk needs to know of a callsite.
  struct Match {
    FunctionId Callee;
    FunctionId Caller;
    CallId Via;
    bool MayRepeat = false;
  };

  void findOnlyMatches();
  void resolveAll();
  void resolveUpwards(TrieStateId P);
  Match describe(CallsiteId C) const;
  void addEdge(const Match &M, TrieStateId P, uint32_t NodeAbove);
  void addEdge(TrieStateId P, TrieEdge E);
  bool followTailCalls(TrieStateId P);
  Outcome whyBlocked(TrieStateId P) const;
  bool mayBeRedirected(TrieStateId P) const;
  /// \returns the number of frames from the root down to \p Node.
  uint32_t numFrames(uint32_t Node) const;
  /// Calls \p Use with each callsite of \p G that has the frames of \p Node and
  /// above, and the node above those.
  template <typename Callback>
  void forEachMatch(const CallsiteIndex::Group &G, uint32_t Node,
                    Callback Use) const;
  std::vector<TrieStateId> order() const;
  void numberStates();
  void keepEdges(ArrayRef<TrieStateId> Order);
  void findInlined();
  void passObstaclesDown();

  uint32_t node(TrieStateId P) const {
    return P.index() < NumNodes ? P.index()
                                : FurtherNodes[P.index() - NumNodes];
  }
  TrieStateId state(FunctionId F, uint32_t Node);

  void obstruct(TrieState &P, Outcome Reason) {
    if (!P.Obstacle)
      P.Obstacle = Reason;
  }

  const ContextProgram &Program;
  Resolution &Result;
  FrameNumbers Numbers;
  CallsiteIndex Callsites;
  /// This is indexed by frame. It describes the callsite of a frame that is in
  /// the stack ids of one callsite of a callee alone, where that callsite has
  /// no other frames. Nearly all frames are like that; the entries of others
  /// have no Callee. What a step needs to know is together in one place,
  /// because otherwise the step would wait for memory several times.
  std::vector<Match> OnlyMatches;
  std::optional<ContextTrie> Trie;
  uint32_t NumNodes;
  /// These are the nodes of the trie states whose number is past all nodes.
  std::vector<uint32_t> FurtherNodes;
  DenseMap<std::pair<uint32_t, FunctionId>, TrieStateId> FurtherStates;
  std::vector<TrieStateId> Unresolved;
  /// Edges is indexed by trie state and holds its first edge, which has no
  /// Caller if the trie state has no edge. MoreEdges holds all other edges;
  /// those of one trie state are side by side.
  std::vector<TrieEdge> Edges;
  std::vector<std::pair<TrieStateId, TrieEdge>> MoreEdges;
  /// These edges join trie states of the same node.
  std::vector<std::pair<TrieStateId, TrieStateId>> TailEdges;
  /// These trie states are at a frame of no callsite. The number says how many
  /// frames are left there.
  std::vector<std::pair<TrieStateId, uint32_t>> DeadEnds;
  /// These trie states are entered by a call without a record.
  std::vector<TrieStateId> Unrecorded;
  bool HasAmbiguous = false;
  /// This is indexed by the new number of a trie state, and it is empty if
  /// there are no dead ends. It holds the fewest frames that a way up leaves,
  /// or 0 if some way does not end at a dead end.
  std::vector<uint32_t> FramesLeft;
};

} // namespace thermocline::context

Resolution thermocline::context::resolve(const ContextProgram &Program) {
  Resolution Result;
  Resolver(Program, Result).run();
  return Result;
}

TrieStateId Resolver::state(FunctionId F, uint32_t Node) {
  TrieStateId P(Node);
  TrieState &OfNode = Result.States[Node];
  if (OfNode.Function == F)
    return P;
  if (OfNode.Function) {
    auto [It, New] = FurtherStates.try_emplace(
        {Node, F}, TrieStateId(NumNodes + FurtherNodes.size()));
    P = It->second;
    if (!New)
      return P;
    FurtherNodes.push_back(Node);
    Result.States.push_back({});
    Edges.push_back({});
  }
  Result.States[P.index()].Function = F;
  Unresolved.push_back(P);
  return P;
}

void Resolver::resolveAll() {
  Result.States.resize(NumNodes);
  Edges.resize(NumNodes);
  Result.Leaves.resize(Program.numContexts());
  std::vector<FunctionId> Owners;
  Owners.reserve(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I)
    Owners.push_back(Program[Program[ContextId(I)].Allocation].Owner);
  // The contexts come in the order of the trie, so that a walk meets what was
  // walked just before.
  for (ContextId C : Trie->contexts()) {
    Result.Leaves[C.index()] = state(Owners[C.index()], Trie->leaf(C));
    while (!Unresolved.empty()) {
      TrieStateId P = Unresolved.back();
      Unresolved.pop_back();
      resolveUpwards(P);
    }
  }
}

template <typename Callback>
void Resolver::forEachMatch(const CallsiteIndex::Group &G, uint32_t Node,
                            Callback Use) const {
  ArrayRef<CallsiteId> Range = Callsites.callsites(G);
  size_t Depth = 1;
  uint32_t Above = Trie->parent(Node);
  while (true) {
    for (CallsiteId C : Range) {
      if (Callsites.frames(C).size() != Depth)
        break;
      Use(C, Above);
    }
    if (Callsites.frames(Range.back()).size() == Depth)
      return;
    if (Above == ContextTrie::Root)
      break;
    Range = Callsites.narrow(Range, Depth++, Trie->frame(Above));
    if (Range.empty())
      return;
    Above = Trie->parent(Above);
  }
  // The context ends inside what was inlined here.
  for (CallsiteId C : Range)
    if (Callsites.frames(C).size() > Depth)
      Use(C, ContextTrie::Root);
}

void Resolver::addEdge(TrieStateId P, TrieEdge E) {
  TrieEdge &First = Edges[P.index()];
  if (!First.Caller) {
    First = E;
    return;
  }
  // Callsites of one call stand side by side.
  const TrieEdge &Last = !MoreEdges.empty() && MoreEdges.back().first == P
                             ? MoreEdges.back().second
                             : First;
  if (Last.Caller != E.Caller || Last.Via != E.Via)
    MoreEdges.push_back({P, E});
}

Resolver::Match Resolver::describe(CallsiteId C) const {
  FunctionId Callee = Program[C].Callee;
  CallId Via = Callsites.callOf(C);
  if (Program[C].Redirectable == Redirect::Indirect)
    Via = cut(Outcome::IndirectCall);
  else if (Program[C].Redirectable == Redirect::OutsideLink)
    Via = cut(Outcome::OutsideLink);
  else if (!Program[Callee].Clonable)
    Via = cut(Outcome::NotClonable);
  return {Callee, Program[C].Caller, Via, Program.mayRepeat(C)};
}

void Resolver::findOnlyMatches() {
  OnlyMatches.resize(Numbers.size());
  for (uint32_t I = 0; I != Numbers.size(); ++I) {
    ArrayRef<CallsiteIndex::Group> Groups = Callsites.groups(FrameId(I));
    if (Groups.size() != 1 || !Groups[0].Callee)
      continue;
    ArrayRef<CallsiteId> Range = Callsites.callsites(Groups[0]);
    if (Range.size() == 1 && Callsites.frames(Range[0]).size() == 1)
      OnlyMatches[I] = describe(Range[0]);
  }
}

void Resolver::addEdge(const Match &M, TrieStateId P, uint32_t NodeAbove) {
  TrieStateId Caller = state(M.Caller, NodeAbove);
  addEdge(P, {Caller, M.Via});
  if (M.MayRepeat && !isCut(M.Via))
    addEdge(P, {P, M.Via});
}

void Resolver::resolveUpwards(TrieStateId P) {
  uint32_t Node = node(P);
  if (Node == ContextTrie::Root) {
    Result.States[P.index()].BindsAllVersions = true;
    return;
  }
  if (FrameId Frame = Trie->frame(Node)) {
    FunctionId F = Result[P].Function;
    if (const Match &M = OnlyMatches[Frame.index()]; M.Callee == F) {
      addEdge(M, P, Trie->parent(Node));
      return;
    }
    for (const CallsiteIndex::Group &G : Callsites.groups(Frame))
      if (G.Callee == F)
        forEachMatch(G, Node, [&](CallsiteId C, uint32_t Above) {
          addEdge(describe(C), P, Above);
        });
    if (Callsites.hasTailCalls() && followTailCalls(P))
      return;
  }
  if (!Edges[P.index()].Caller) {
    Outcome Reason = whyBlocked(P);
    TrieState &Here = Result.States[P.index()];
    if (Program[Here.Function].EnteredInAnyVersion || mayBeRedirected(P)) {
      Here.BindsAllVersions = true;
    } else {
      Here.BindsOriginal = true;
      Unrecorded.push_back(P);
    }
    obstruct(Here, Reason);
    if (Reason == Outcome::UnmatchedFrame)
      DeadEnds.push_back({P, numFrames(Node)});
  }
}

uint32_t Resolver::numFrames(uint32_t Node) const {
  uint32_t Result = 0;
  for (; Node != ContextTrie::Root; Node = Trie->parent(Node))
    ++Result;
  return Result;
}

/// \returns whether more than one chain of tail calls could have left the frame
/// above \p P. In that case nothing is known above \p P.
bool Resolver::followTailCalls(TrieStateId P) {
  FunctionId F = Result[P].Function;
  uint32_t Node = node(P);
  bool Several = false;
  for (const CallsiteIndex::Group &G : Callsites.groups(Trie->frame(Node))) {
    if (!G.Callee || G.Callee == F)
      continue;
    bool Matches = false;
    forEachMatch(G, Node, [&](CallsiteId, uint32_t) { Matches = true; });
    if (!Matches)
      continue;
    CallId Last = Callsites.lastTailCall(G.Callee, F, Several);
    if (!Last)
      continue;
    TrieStateId Caller = state(Callsites.call(Last).Caller, Node);
    for (CallId Via : Callsites.sameEnds(Last))
      addEdge(P,
              {Caller, Program[F].Clonable ? Via : cut(Outcome::NotClonable)});
    TailEdges.push_back({Caller, P});
    // The missing frame may also be that of a call that resumes it.
    Several |= Program[F].EnteredInAnyVersion;
  }
  if (Several) {
    TrieState &Here = Result.States[P.index()];
    Here.BindsAllVersions = HasAmbiguous = true;
    obstruct(Here, Outcome::AmbiguousTailCall);
  }
  return Several;
}

/// \returns why the call above \p P cannot be followed. A callsite without a
/// known callee may match it, or one through a pointer, to a function that its
/// value profile lacks; otherwise its frame is unmatched.
Outcome Resolver::whyBlocked(TrieStateId P) const {
  const uint32_t Node = node(P);
  Outcome Reason = Outcome::UnmatchedFrame;
  if (FrameId Frame = Trie->frame(Node))
    for (const CallsiteIndex::Group &G : Callsites.groups(Frame))
      if (G.Callee != Result[P].Function)
        forEachMatch(G, Node, [&](CallsiteId C, uint32_t) {
          if (Reason == Outcome::UnmatchedFrame &&
              (!G.Callee || Program[C].IsThroughPointer))
            Reason = Program[C].Redirectable == Redirect::OutsideLink
                         ? Outcome::OutsideLink
                         : Outcome::IndirectCall;
        });
  return Reason;
}

/// Whether the call above \p P, which matches no callsite, may lead to another
/// version all the same: it has a record of a call of another function, from
/// which frames may be missing on the way, or frames that the contexts of this
/// program do not repeat. A call that has records of several others is one
/// through a pointer, to a function that its value profile lacks: that is
/// called as ever, and so is what a call that is known to be one led to.
bool Resolver::mayBeRedirected(TrieStateId P) const {
  FrameId Frame = Trie->frame(node(P));
  if (!Frame)
    return false;
  if (Callsites.repeatsFrames(Frame))
    return true;
  std::map<std::pair<FunctionId, std::vector<FrameId>>, std::set<FunctionId>>
      Callees;
  for (const CallsiteIndex::Group &G : Callsites.groups(Frame))
    if (G.Callee && G.Callee != Result[P].Function)
      forEachMatch(G, node(P), [&](CallsiteId C, uint32_t) {
        if (!Program[C].IsThroughPointer)
          Callees[{Program[C].Caller, Callsites.frames(C).vec()}].insert(
              G.Callee);
      });
  return any_of(Callees,
                [](const auto &Call) { return Call.second.size() == 1; });
}

/// \returns all trie states, each after those that lead to it. They are sorted
/// by node, and within a node by the number of tail calls.
std::vector<TrieStateId> Resolver::order() const {
  DenseMap<TrieStateId, uint32_t> TailCalls;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto [From, To] : TailEdges) {
      uint32_t Before = TailCalls.lookup(From);
      uint32_t &Mine = TailCalls[To];
      Changed |= Mine <= Before;
      Mine = std::max(Mine, Before + 1);
    }
  }
  std::vector<std::tuple<uint32_t, uint32_t, TrieStateId>> Shared;
  BitVector IsShared(NumNodes);
  for (size_t I = 0; I != FurtherNodes.size(); ++I) {
    TrieStateId P(NumNodes + I), OfNode(FurtherNodes[I]);
    Shared.push_back({FurtherNodes[I], TailCalls.lookup(P), P});
    if (IsShared.test(FurtherNodes[I]))
      continue;
    IsShared.set(FurtherNodes[I]);
    Shared.push_back({FurtherNodes[I], TailCalls.lookup(OfNode), OfNode});
  }
  llvm::sort(Shared);
  std::vector<TrieStateId> Order;
  auto Next = Shared.begin();
  for (uint32_t Node = 0; Node != NumNodes; ++Node) {
    if (!IsShared.test(Node))
      Order.push_back(TrieStateId(Node));
    for (; Next != Shared.end() && std::get<0>(*Next) == Node; ++Next)
      Order.push_back(std::get<2>(*Next));
  }
  return Order;
}

void Resolver::numberStates() {
  std::vector<TrieStateId> Order;
  if (!FurtherNodes.empty()) {
    Order = order();
    std::vector<TrieStateId> Number(Order.size());
    for (size_t I = 0; I != Order.size(); ++I)
      Number[Order[I].index()] = TrieStateId(I);
    auto Renumber = [&](TrieStateId &P) {
      if (P)
        P = Number[P.index()];
    };
    for (TrieEdge &E : Edges)
      Renumber(E.Caller);
    for (auto &[To, E] : MoreEdges) {
      Renumber(To);
      Renumber(E.Caller);
    }
    for (TrieStateId &P : Result.Leaves)
      Renumber(P);
    for (auto &[P, NumFrames] : DeadEnds)
      Renumber(P);
    for (TrieStateId &P : Unrecorded)
      Renumber(P);
    std::vector<TrieState> States;
    States.reserve(Order.size());
    for (TrieStateId P : Order)
      States.push_back(Result[P]);
    Result.States = std::move(States);
  }
  auto Key = [](const auto &More) {
    return std::tuple(More.first, More.second.Caller, More.second.Via);
  };
  llvm::sort(MoreEdges,
             [&](const auto &A, const auto &B) { return Key(A) < Key(B); });
  Trie.reset();
  keepEdges(Order);
}

/// Takes the edges over, for trie states in \p Order where they have new
/// numbers.
///
/// A chain that ends at a frame of no callsite is no way to run a context that
/// has other ways: a call that was inlined in one place looks like this
/// wherever its function is still there to be called from others.
void Resolver::keepEdges(ArrayRef<TrieStateId> Order) {
  BitVector Alive(Result.States.size());
  if (!DeadEnds.empty())
    FramesLeft.resize(Result.States.size(), 0);
  for (auto [P, NumFrames] : DeadEnds)
    FramesLeft[P.index()] = NumFrames;
  auto More = MoreEdges.begin();
  SmallVector<TrieEdge, 4> Mine;
  Result.Edges.reserve(Result.States.size(), Edges.size() + MoreEdges.size());
  for (size_t I = 0; I != Result.States.size(); ++I) {
    TrieState &P = Result.States[I];
    Mine.clear();
    if (TrieEdge E = Edges[Order.empty() ? I : Order[I].index()]; E.Caller)
      Mine.push_back(E);
    for (; More != MoreEdges.end() && More->first == TrieStateId(I); ++More)
      Mine.push_back(More->second);
    if (((P.BindsAllVersions || P.BindsOriginal) &&
         P.Obstacle != Outcome::UnmatchedFrame) ||
        any_of(Mine, [&](TrieEdge E) { return Alive[E.Caller.index()]; }))
      Alive.set(I);
    for (TrieEdge E : Mine)
      if (uint32_t Above = DeadEnds.empty() ? 0 : FramesLeft[E.Caller.index()])
        FramesLeft[I] = FramesLeft[I] ? std::min(FramesLeft[I], Above) : Above;
    if (Alive[I] && !DeadEnds.empty())
      FramesLeft[I] = 0;
    for (TrieEdge E : Mine) {
      if (Alive[I] && !Alive[E.Caller.index()])
        continue;
      if (isCut(E.Via)) {
        P.BindsOriginal = true;
        obstruct(P, reason(E.Via));
      } else {
        Result.Edges.add(E);
      }
    }
    Result.Edges.endGroup();
  }
  Edges = {};
  MoreEdges = {};
}

void Resolver::findInlined() {
  if (DeadEnds.empty())
    return;
  // This is the key that the audit uses too. A trimmed context stands for
  // several and has the id of the first, so two of them are the same only if
  // their sizes are equal.
  using Key = std::tuple<uint64_t, Temperature, uint64_t>;
  struct HashOfKey {
    size_t operator()(const Key &K) const { return hash_value(K); }
  };
  auto KeyOf = [&](const Context &C) {
    return Key(C.FullStackId, C.Profiled, C.Size.count());
  };
  auto LeftBy = [&](size_t I) { return FramesLeft[Result.Leaves[I].index()]; };

  std::unordered_map<Key, uint32_t, HashOfKey> Least;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (const Context &C = Program[ContextId(I)]; C.FullStackId && LeftBy(I))
      Least.insert({KeyOf(C), LeftBy(I)});
  if (Least.empty())
    return;
  for (size_t I = 0; I != Program.numContexts(); ++I)
    if (const Context &C = Program[ContextId(I)]; C.FullStackId)
      if (auto It = Least.find(KeyOf(C)); It != Least.end())
        It->second = std::min(It->second, LeftBy(I));

  // Trie states that other contexts reach stay as they are.
  BitVector Needed(Result.States.size());
  Result.RanElsewhere.resize(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    const Context &C = Program[ContextId(I)];
    if (C.FullStackId && LeftBy(I) && LeftBy(I) > Least.at(KeyOf(C)))
      Result.RanElsewhere.set(I);
    else
      Needed.set(Result.Leaves[I].index());
  }
  for (size_t I = Result.States.size(); I-- != 0;) {
    TrieState &P = Result.States[I];
    if (!P.Function)
      continue;
    if (Needed[I])
      for (TrieEdge E : Result.callersOf(TrieStateId(I)))
        Needed.set(E.Caller.index());
    else if (P.BindsAllVersions && P.Obstacle == Outcome::UnmatchedFrame &&
             !Program[P.Function].EnteredInAnyVersion) {
      P.BindsAllVersions = false;
      P.BindsOriginal = true;
    }
  }
}

void Resolver::passObstaclesDown() {
  for (size_t I = 0; I != Result.States.size(); ++I)
    for (TrieEdge E : Result.callersOf(TrieStateId(I)))
      if (std::optional<Outcome> Above = Result[E.Caller].Obstacle)
        obstruct(Result.States[I], *Above);
}
