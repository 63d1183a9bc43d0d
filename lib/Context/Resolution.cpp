//===- Context/Resolution.cpp - Contexts matched to callsites -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Resolution.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace thermocline::context {

/// Builds a Resolution.
class Resolver {
public:
  Resolver(const ContextProgram &Program, Resolution &Result)
      : Program(Program), Result(Result) {}

  void run() {
    sortCallsites();
    buildTrie();
    // Resolving a place may add more.
    for (size_t I = 0; I != Result.Places.size(); ++I)
      resolveUpwards(PlaceId(I));
    orderTopDown();
    dropDeadEnds();
    groupEdges();
    groupContexts();
    passObstaclesDown();
  }

private:
  struct UpEdge {
    PlaceId From;
    /// None where the call always reaches version 0, for the reason Cut.
    CallId Via;
    PlaceId To;
    Outcome Cut = Outcome::HintedCold;
  };
  struct TrieNode {
    uint32_t Parent;
    StackId Frame;
    uint32_t Depth;
  };

  void sortCallsites();
  void buildTrie();
  void resolveUpwards(PlaceId P);
  /// Narrows \p Range of sorted callsites, which agree on their first \p Depth
  /// stack ids, to those that have \p Frame next.
  ArrayRef<CallsiteId> narrow(ArrayRef<CallsiteId> Range, size_t Depth,
                              StackId Frame) const;
  ArrayRef<CallsiteId> callersOf(FunctionId Callee) const;
  Outcome whyBlocked(uint32_t TriePosition) const;
  void groupEdges();
  void groupContexts();
  void orderTopDown();
  void dropDeadEnds();
  void passObstaclesDown();

  PlaceId place(FunctionId F, uint32_t TriePosition) {
    auto [It, New] = PlaceAt.try_emplace(
        {F.index(), TriePosition},
        PlaceId(static_cast<uint32_t>(Result.Places.size())));
    if (New) {
      Place &P = Result.Places.emplace_back();
      P.Function = F;
      P.TriePosition = TriePosition;
    }
    return It->second;
  }

  void obstruct(Place &P, Outcome Reason) {
    if (P.Obstacle == Outcome::HintedCold)
      P.Obstacle = Reason;
  }

  const ContextProgram &Program;
  Resolution &Result;
  /// Callsites with stack ids by callee (none last), then stack ids, then
  /// whether they can be redirected, then caller.
  std::vector<CallsiteId> Sorted;
  std::vector<uint32_t> FirstCallerOf;
  std::vector<TrieNode> Trie;
  DenseMap<std::pair<uint32_t, uint32_t>, PlaceId> PlaceAt;
  /// In order of To.
  std::vector<UpEdge> UpEdges;
};

} // namespace thermocline::context

Resolution::Resolution(const ContextProgram &Program) {
  Resolver(Program, *this).run();
}

void Resolver::sortCallsites() {
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    if (Program[CallsiteId(I)].NumStackIds != 0)
      Sorted.push_back(CallsiteId(I));
  auto Compare = [&](CallsiteId A, CallsiteId B) {
    const Callsite &X = Program[A], &Y = Program[B];
    if (X.Callee != Y.Callee)
      return X.Callee < Y.Callee ? -1 : 1;
    ArrayRef<StackId> XIds = Program.stackIds(A), YIds = Program.stackIds(B);
    if (XIds != YIds)
      return std::lexicographical_compare(XIds.begin(), XIds.end(),
                                          YIds.begin(), YIds.end())
                 ? -1
                 : 1;
    if (X.Redirectable != Y.Redirectable)
      return X.Redirectable < Y.Redirectable ? -1 : 1;
    if (X.Caller != Y.Caller)
      return X.Caller < Y.Caller ? -1 : 1;
    return 0;
  };
  std::sort(Sorted.begin(), Sorted.end(), [&](CallsiteId A, CallsiteId B) {
    int Order = Compare(A, B);
    return Order != 0 ? Order < 0 : A < B;
  });

  Result.CallOf.assign(Program.numCallsites(), CallId());
  FirstCallerOf.assign(Program.numFunctions() + 2, 0);
  for (size_t I = 0; I != Sorted.size(); ++I) {
    const Callsite &C = Program[Sorted[I]];
    ++FirstCallerOf[C.Callee ? C.Callee.index() + 1
                             : Program.numFunctions() + 1];
    if (!C.Callee || C.Redirectable != Redirect::Yes)
      continue;
    if (I != 0 && Compare(Sorted[I - 1], Sorted[I]) == 0) {
      Result.CallOf[Sorted[I].index()] = Result.CallOf[Sorted[I - 1].index()];
      continue;
    }
    Result.CallOf[Sorted[I].index()] = CallId(Result.Calls.size());
    Result.Calls.push_back({C.Caller, C.Callee});
  }
  for (size_t I = 1; I != FirstCallerOf.size(); ++I)
    FirstCallerOf[I] += FirstCallerOf[I - 1];
}

void Resolver::buildTrie() {
  DenseMap<std::pair<uint32_t, uint64_t>, uint32_t> Child;
  Trie.push_back({0, StackId(), 0});
  Result.Leaves.reserve(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I) {
    uint32_t At = 0;
    for (StackId Frame : reverse(Program.stackIds(ContextId(I)))) {
      auto [It, New] = Child.try_emplace({At, raw(Frame)},
                                         static_cast<uint32_t>(Trie.size()));
      if (New)
        Trie.push_back({At, Frame, Trie[At].Depth + 1});
      At = It->second;
    }
    FunctionId Owner = Program[Program[ContextId(I)].Allocation].Owner;
    Result.Leaves.push_back(place(Owner, At));
  }
}

ArrayRef<CallsiteId> Resolver::narrow(ArrayRef<CallsiteId> Range, size_t Depth,
                                      StackId Frame) const {
  auto Less = [&](CallsiteId C, StackId F) {
    ArrayRef<StackId> Ids = Program.stackIds(C);
    return Ids.size() <= Depth || Ids[Depth] < F;
  };
  auto Greater = [&](StackId F, CallsiteId C) {
    ArrayRef<StackId> Ids = Program.stackIds(C);
    return Ids.size() > Depth && F < Ids[Depth];
  };
  auto *Begin = std::lower_bound(Range.begin(), Range.end(), Frame, Less);
  auto *End = std::upper_bound(Begin, Range.end(), Frame, Greater);
  return ArrayRef(Begin, End);
}

ArrayRef<CallsiteId> Resolver::callersOf(FunctionId Callee) const {
  size_t I = Callee ? Callee.index() : Program.numFunctions();
  return ArrayRef(Sorted).slice(FirstCallerOf[I],
                                FirstCallerOf[I + 1] - FirstCallerOf[I]);
}

/// Whether the call above \p TriePosition is known as one that has no callee.
Outcome Resolver::whyBlocked(uint32_t TriePosition) const {
  ArrayRef<CallsiteId> Range = callersOf(FunctionId::none());
  size_t Depth = 0;
  for (uint32_t At = TriePosition; At != 0; At = Trie[At].Parent) {
    Range = narrow(Range, Depth++, Trie[At].Frame);
    if (Range.empty())
      return Outcome::UnmatchedFrame;
    // The shorter come first.
    if (Program.stackIds(Range.front()).size() == Depth)
      break;
  }
  return Program[Range.front()].Redirectable == Redirect::OutsideLink
             ? Outcome::OutsideLink
             : Outcome::IndirectCall;
}

void Resolver::resolveUpwards(PlaceId P) {
  FunctionId F = Result[P].Function;
  uint32_t Start = Result[P].TriePosition;
  if (Start == 0) {
    Result.Places[P.index()].BindsAllVersions = true;
    return;
  }
  bool Matched = false;
  auto Follow = [&](CallsiteId C, uint32_t Above) {
    Matched = true;
    UpEdge E = {place(Program[C].Caller, Above), CallId(), P};
    if (Program[C].Redirectable == Redirect::Indirect)
      E.Cut = Outcome::IndirectCall;
    else if (Program[C].Redirectable == Redirect::OutsideLink)
      E.Cut = Outcome::OutsideLink;
    else if (!Program[F].Clonable)
      E.Cut = Outcome::NotClonable;
    else
      E.Via = Result.call(C);
    // Callsites of one call stand side by side.
    if (!UpEdges.empty() && UpEdges.back().From == E.From &&
        UpEdges.back().Via == E.Via && UpEdges.back().To == P)
      return;
    UpEdges.push_back(E);
  };

  ArrayRef<CallsiteId> Range = callersOf(F);
  uint32_t At = Start;
  for (size_t Depth = 0; At != 0 && !Range.empty(); ++Depth) {
    Range = narrow(Range, Depth, Trie[At].Frame);
    At = Trie[At].Parent;
    for (CallsiteId C : Range) {
      if (Program.stackIds(C).size() != Depth + 1)
        break;
      Follow(C, At);
    }
  }
  // The context ends inside what was inlined here.
  if (At == 0)
    for (CallsiteId C : Range)
      if (Program.stackIds(C).size() > Trie[Start].Depth)
        Follow(C, 0);

  if (!Matched) {
    Place &Here = Result.Places[P.index()];
    Here.BindsAllVersions = true;
    obstruct(Here, whyBlocked(Start));
  }
}

/// A chain that ends at a frame of no callsite is no way to run a context that
/// has other ways: a call that was inlined in one place looks like this
/// wherever its function is still there to be called from others.
void Resolver::dropDeadEnds() {
  std::vector<std::vector<UpEdge>::iterator> First;
  auto Next = UpEdges.begin();
  for (size_t I = 0; I != Result.Places.size(); ++I) {
    First.push_back(Next);
    while (Next != UpEdges.end() && Next->To == PlaceId(I))
      ++Next;
  }
  First.push_back(Next);

  std::vector<bool> Alive(Result.Places.size());
  for (PlaceId P : Result.Order)
    Alive[P.index()] =
        (Result[P].BindsAllVersions &&
         Result[P].Obstacle != Outcome::UnmatchedFrame) ||
        std::any_of(First[P.index()], First[P.index() + 1],
                    [&](const UpEdge &E) { return Alive[E.From.index()]; });

  llvm::erase_if(UpEdges, [&](const UpEdge &E) {
    if (Alive[E.To.index()] && !Alive[E.From.index()])
      return true;
    if (E.Via)
      return false;
    Place &To = Result.Places[E.To.index()];
    To.BindsOriginal = true;
    obstruct(To, E.Cut);
    return true;
  });
}

void Resolver::groupEdges() {
  std::vector<uint32_t> &First = Result.FirstEdge;
  First.assign(Result.Places.size() + 1, 0);
  for (const UpEdge &E : UpEdges)
    ++First[E.From.index() + 1];
  for (size_t I = 1; I != First.size(); ++I)
    First[I] += First[I - 1];
  std::vector<uint32_t> Next(First.begin(), First.end() - 1);
  Result.Edges.resize(UpEdges.size());
  for (const UpEdge &E : UpEdges)
    Result.Edges[Next[E.From.index()]++] = {E.Via, E.To};
  for (size_t I = 0; I != Result.Places.size(); ++I)
    std::sort(Result.Edges.begin() + First[I],
              Result.Edges.begin() + First[I + 1],
              [](const PlaceEdge &A, const PlaceEdge &B) {
                return std::pair(A.Via, A.To) < std::pair(B.Via, B.To);
              });
}

void Resolver::groupContexts() {
  std::vector<uint32_t> &First = Result.FirstContextAt;
  First.assign(Result.Places.size() + 1, 0);
  for (PlaceId P : Result.Leaves)
    ++First[P.index() + 1];
  for (size_t I = 1; I != First.size(); ++I)
    First[I] += First[I - 1];
  std::vector<uint32_t> Next(First.begin(), First.end() - 1);
  Result.ContextsByPlace.resize(Result.Leaves.size());
  for (size_t I = 0; I != Result.Leaves.size(); ++I)
    Result.ContextsByPlace[Next[Result.Leaves[I].index()]++] = ContextId(I);
}

void Resolver::orderTopDown() {
  // An edge leads to a deeper trie position: count places by depth.
  uint32_t MaxDepth = 0;
  for (const TrieNode &N : Trie)
    MaxDepth = std::max(MaxDepth, N.Depth);
  std::vector<uint32_t> Next(MaxDepth + 2, 0);
  for (const Place &P : Result.Places)
    ++Next[Trie[P.TriePosition].Depth + 1];
  for (size_t I = 1; I != Next.size(); ++I)
    Next[I] += Next[I - 1];
  Result.Order.resize(Result.Places.size());
  for (size_t I = 0; I != Result.Places.size(); ++I)
    Result.Order[Next[Trie[Result.Places[I].TriePosition].Depth]++] =
        PlaceId(I);
}

void Resolver::passObstaclesDown() {
  for (PlaceId P : Result.Order)
    if (Result[P].Obstacle != Outcome::HintedCold)
      for (const PlaceEdge &E : Result.edges(P))
        obstruct(Result.Places[E.To.index()], Result[P].Obstacle);
}
