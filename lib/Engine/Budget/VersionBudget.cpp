//===- Engine/Budget/VersionBudget.cpp - Which clones fit the budget ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VersionBudget.h"
#include "Closure.h"
#include "Split/Minimize.h"
#include "Split/VersionSets.h"
#include "thermocline/Support/SequenceHash.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <unordered_map>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

/// A further version of a function, by number.
using Item = uint32_t;
constexpr uint32_t None = ~0u;

using Node = DependencyGraph::Node;

/// Sorted sets of nodes, each kept once and known by number.
class NodeSets {
public:
  explicit NodeSets(DependencyGraph &Graph) : Graph(Graph) {}

  static constexpr uint32_t Empty = 0;

  ArrayRef<Node> operator[](uint32_t Set) const { return Sets[Set]; }

  /// The set of \p Nodes, or one of a single node that depends on them all: so
  /// a long way is shared by what goes on from it.
  uint32_t get(std::vector<Node> Nodes) {
    constexpr size_t MaxSize = 64;
    llvm::sort(Nodes);
    Nodes.erase(llvm::unique(Nodes), Nodes.end());
    uint32_t Set = intern(std::move(Nodes));
    return Sets[Set].size() <= MaxSize ? Set : intern({node(Set)});
  }
  uint32_t join(uint32_t A, uint32_t B) {
    if (A == Empty || B == Empty || A == B)
      return std::max(A, B);
    std::vector<Node> Both = Sets[A];
    append_range(Both, Sets[B]);
    return get(std::move(Both));
  }

  /// A node that depends on all of \p Set.
  Node node(uint32_t Set) {
    if (NodeFor[Set] == None) {
      NodeFor[Set] = Graph.add(0, 0);
      for (Node N : Sets[Set])
        Graph.addDependency(NodeFor[Set], N);
    }
    return NodeFor[Set];
  }

private:
  struct Hash {
    size_t operator()(const std::vector<Node> &Nodes) const {
      SequenceHash Result(Nodes.size());
      for (Node N : Nodes)
        Result.add(N);
      return Result.value();
    }
  };

  uint32_t intern(std::vector<Node> Nodes) {
    auto [It, New] = Known.try_emplace(std::move(Nodes), Sets.size());
    if (New) {
      Sets.push_back(It->first);
      NodeFor.push_back(None);
    }
    return It->second;
  }

  DependencyGraph &Graph;
  std::vector<std::vector<Node>> Sets = {{}};
  /// By set; none where nobody asked.
  std::vector<uint32_t> NodeFor = {None};
  std::unordered_map<std::vector<Node>, uint32_t, Hash> Known = {{{}, Empty}};
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
    findDependencies();
    choose();
    dropFalseHints();
    return evaluate(Program, Resolved, minimize(Program, Result));
  }

private:
  Item item(FunctionId F, uint32_t Version) const {
    return FirstItem[F.index()] + Version - 1;
  }
  Node node(FunctionId F, uint32_t Version);
  std::vector<bool> leadToHinted() const;
  void findDependencies();
  void choose();
  void dropFalseHints();

  const ContextProgram &Program;
  const Resolution &Resolved;
  ArrayRef<Outcome> Outcomes;
  const Decisions &Decided;
  uint64_t Budget;
  std::vector<Item> FirstItem;
  DependencyGraph Graph;
  /// By item; none for those that no hinted context needs.
  std::vector<uint32_t> NodeOf;
  Decisions Result;
};

Node VersionDropper::node(FunctionId F, uint32_t Version) {
  uint32_t &Node = NodeOf[item(F, Version)];
  if (Node == None)
    Node = Graph.add(0, Program[F].Instructions);
  return Node;
}

/// By place: whether a context that is hinted is there or below.
std::vector<bool> VersionDropper::leadToHinted() const {
  std::vector<bool> Leads(Resolved.numPlaces());
  for (size_t I = Resolved.numPlaces(); I-- != 0;) {
    for (ContextHere C : Resolved.contextsAt(PlaceId(I)))
      if (Outcomes[C.id().index()] == Outcome::HintedCold)
        Leads[I] = true;
    if (Leads[I])
      for (PlaceEdge E : Resolved.callersOf(PlaceId(I)))
        Leads[E.From.index()] = true;
  }
  return Leads;
}

void VersionDropper::findDependencies() {
  const std::vector<bool> LeadsToHinted = leadToHinted();
  ReachedVersions Reached(Program, Resolved, Decided);
  NodeSets Sets(Graph);
  // By place, what it takes to come here.
  std::vector<uint32_t> SetAt(Resolved.numPlaces(), NodeSets::Empty);
  // By the caller's set, function and versions.
  DenseMap<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> Extended;
  for (size_t I = 0; I != Resolved.numPlaces(); ++I) {
    PlaceId P(I);
    const Place &Here = Resolved[P];
    if (!LeadsToHinted[I])
      continue;
    uint32_t Set = NodeSets::Empty;
    for (PlaceEdge E : Resolved.callersOf(P))
      Set = Sets.join(Set, SetAt[E.From.index()]);
    // What begins here in all versions does not need them to be there.
    if (!Here.BindsAllVersions &&
        any_of(Reached[P], [](uint32_t V) { return V != 0; })) {
      auto [It, New] =
          Extended.try_emplace({Set, Here.Function.index(), Reached.set(P)}, 0);
      if (New) {
        std::vector<Node> Longer = Sets[Set].vec();
        for (uint32_t V : Reached[P])
          if (V != 0)
            Longer.push_back(node(Here.Function, V));
        It->second = Sets.get(std::move(Longer));
      }
      Set = It->second;
    }
    SetAt[I] = Set;
    if (Set == NodeSets::Empty)
      continue;
    for (ContextHere C : Resolved.contextsAt(P))
      if (Outcomes[C.id().index()] == Outcome::HintedCold)
        Graph.addBenefit(Sets.node(Set), Program.benefit(C.id()));
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
