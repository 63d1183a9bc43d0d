//===- Engine/Budget/Choice.cpp - Which clones fit the budget -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Choice.h"
#include "Frontier.h"
#include "Split/Minimize.h"
#include "Split/VersionSets.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <unordered_map>

using namespace llvm;
using namespace thermocline::context;

namespace {

/// A further version of a function, by number.
using Item = uint32_t;
constexpr uint32_t None = ~0u;

struct HashOfNodes {
  size_t operator()(const std::vector<NeedsGraph::Node> &Nodes) const {
    uint64_t Hash = Nodes.size();
    for (NeedsGraph::Node N : Nodes)
      Hash = (Hash ^ N) * 0x9E3779B97F4A7C15u, Hash ^= Hash >> 32;
    return Hash;
  }
};

class VersionDropper {
public:
  VersionDropper(const ContextProgram &Program, const Resolution &Resolved,
                 ArrayRef<Outcome> Outcomes, const Decisions &Decided,
                 uint64_t Budget)
      : Program(Program), Resolved(Resolved), Outcomes(Outcomes),
        Decided(Decided), Budget(Budget) {
    for (uint32_t Versions : Decided.NumVersions) {
      FirstItem.push_back(NodeOf.size());
      NodeOf.resize(NodeOf.size() + Versions - 1, None);
    }
  }

  EvaluatedDecisions run() {
    findNeeds();
    choose();
    dropFalseHints();
    return evaluate(Program, Resolved, minimize(Program, Result));
  }

private:
  static constexpr size_t MaxSetSize = 64;

  Item item(FunctionId F, uint32_t Version) const {
    return FirstItem[F.index()] + Version - 1;
  }
  NeedsGraph::Node node(FunctionId F, uint32_t Version);
  void findNeeds();
  void choose();
  void dropFalseHints();

  const ContextProgram &Program;
  const Resolution &Resolved;
  ArrayRef<Outcome> Outcomes;
  const Decisions &Decided;
  uint64_t Budget;
  std::vector<Item> FirstItem;
  NeedsGraph Graph;
  /// By item; none for those that no hinted context needs.
  std::vector<uint32_t> NodeOf;
  Decisions Result;
};

NeedsGraph::Node VersionDropper::node(FunctionId F, uint32_t Version) {
  uint32_t &Node = NodeOf[item(F, Version)];
  if (Node == None)
    Node = Graph.add(0, Program[F].Instructions);
  return Node;
}

void VersionDropper::findNeeds() {
  std::vector<bool> LeadsToHinted(Resolved.numPlaces());
  for (size_t I = Resolved.numPlaces(); I-- != 0;) {
    for (ContextHere C : Resolved.contextsAt(PlaceId(I)))
      if (Outcomes[C.id().index()] == Outcome::HintedCold)
        LeadsToHinted[I] = true;
    if (LeadsToHinted[I])
      for (PlaceEdge E : Resolved.callersOf(PlaceId(I)))
        LeadsToHinted[E.From.index()] = true;
  }

  ReachedVersions Reached(Program, Resolved, Decided);
  // By place, what is needed to come here: a sorted set of nodes, each set kept
  // once. The first is empty.
  std::vector<std::vector<NeedsGraph::Node>> Sets = {{}};
  std::unordered_map<std::vector<NeedsGraph::Node>, uint32_t, HashOfNodes>
      Known = {{{}, 0}};
  std::vector<uint32_t> SetAt(Resolved.numPlaces());
  // By set, the node that needs it, where there is one.
  std::vector<uint32_t> NodeFor = {None};
  // By the caller's set, function and versions.
  DenseMap<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> Extended;
  auto NodeOfSet = [&](uint32_t Set) {
    if (NodeFor[Set] == None) {
      NodeFor[Set] = Graph.add(0, 0);
      for (NeedsGraph::Node N : Sets[Set])
        Graph.addNeed(NodeFor[Set], N);
    }
    return NodeFor[Set];
  };
  auto Intern = [&](std::vector<NeedsGraph::Node> Set) {
    llvm::sort(Set);
    Set.erase(llvm::unique(Set), Set.end());
    auto [It, New] = Known.try_emplace(Set, Sets.size());
    if (New) {
      Sets.push_back(std::move(Set));
      NodeFor.push_back(None);
    }
    // A long way is shared by what goes on from it.
    if (Sets[It->second].size() <= MaxSetSize)
      return It->second;
    std::vector<NeedsGraph::Node> Bundle = {NodeOfSet(It->second)};
    auto [BundleIt, NewBundle] = Known.try_emplace(Bundle, Sets.size());
    if (NewBundle) {
      Sets.push_back(std::move(Bundle));
      NodeFor.push_back(None);
    }
    return BundleIt->second;
  };
  for (size_t I = 0; I != Resolved.numPlaces(); ++I) {
    PlaceId P(I);
    const Place &Here = Resolved[P];
    if (!LeadsToHinted[I])
      continue;
    uint32_t Set = 0;
    for (PlaceEdge E : Resolved.callersOf(P)) {
      uint32_t Theirs = SetAt[E.From.index()];
      if (Set == 0 || Theirs == 0 || Set == Theirs) {
        Set = std::max(Set, Theirs);
        continue;
      }
      std::vector<NeedsGraph::Node> Both = Sets[Set];
      append_range(Both, Sets[Theirs]);
      Set = Intern(std::move(Both));
    }
    // What begins here in all versions does not need them to be there.
    if (!Here.BindsAllVersions &&
        any_of(Reached[P], [](uint32_t V) { return V != 0; })) {
      auto [It, New] =
          Extended.try_emplace({Set, Here.Function.index(), Reached.set(P)}, 0);
      if (New) {
        std::vector<NeedsGraph::Node> Longer = Sets[Set];
        for (uint32_t V : Reached[P])
          if (V != 0)
            Longer.push_back(node(Here.Function, V));
        It->second = Intern(std::move(Longer));
      }
      Set = It->second;
    }
    SetAt[I] = Set;
    if (Set != 0)
      for (ContextHere C : Resolved.contextsAt(P))
        if (Outcomes[C.id().index()] == Outcome::HintedCold)
          Graph.addWorth(NodeOfSet(Set), Program.worth(C.id()));
  }
}

void VersionDropper::choose() {
  std::vector<bool> Chosen = Graph.chooseWithin(Budget);
  auto IsKept = [&](FunctionId F, uint32_t Version) {
    if (Version == 0)
      return true;
    uint32_t Node = NodeOf[item(F, Version)];
    return Node != None && Chosen[Node];
  };
  Result = Decided;
  for (size_t I = 0; I != Program.numCallsites(); ++I) {
    const Callsite &C = Program[CallsiteId(I)];
    auto &Clones = Result.Clones[I];
    for (uint32_t &To : Clones)
      if (!IsKept(C.Callee, To))
        To = 0;
    // Nothing comes to the dropped versions of the caller any more. They do as
    // the original, so that no context seems to come further through them.
    for (uint32_t V = 1; V < Clones.size(); ++V)
      if (!IsKept(C.Caller, V))
        Clones[V] = Clones[0];
  }
}

/// Drops the hints that contexts which are not cold come to, now that they take
/// calls in version 0 where versions of theirs were dropped.
void VersionDropper::dropFalseHints() {
  ReachedVersions Reached(Program, Resolved, Result);
  for (size_t I = 0; I != Resolved.numPlaces(); ++I)
    for (ContextHere C : Resolved.contextsAt(PlaceId(I)))
      if (!C.isCold())
        for (uint32_t V : Reached[PlaceId(I)])
          Result.Hints[C.allocation().index()][V] = Temperature::NotCold;
}

} // namespace

EvaluatedDecisions thermocline::context::dropVersions(
    const ContextProgram &Program, const Resolution &Resolved,
    ArrayRef<Outcome> Outcomes, const Decisions &Decided,
    uint64_t MaxInstructions) {
  return VersionDropper(Program, Resolved, Outcomes, Decided, MaxInstructions)
      .run();
}
