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
#include <optional>
#include <set>
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
        Decided(Decided), Budget(Budget),
        OfCalls(callsitesOfCalls(Program, Resolved)) {
    for (uint32_t Versions : Decided.NumVersions) {
      FirstItem.push_back(NodeOf.size());
      NodeOf.resize(NodeOf.size() + Versions - 1, None);
    }
  }

  EvaluatedDecisions run() {
    findNeeds();
    findNotCold();
    std::optional<EvaluatedDecisions> Best;
    for (unsigned Round = 0;; ++Round) {
      choose();
      std::vector<Violation> Violations = findViolations();
      bool Again = (Round + 1) * Resolved.numPlaces() < MostToWalk &&
                   Round != MaxRounds && addNeeds(Violations);
      for (const Violation &V : Violations)
        Result.Hints[V.Allocation.index()][V.Version] = Temperature::NotCold;
      EvaluatedDecisions Mine =
          evaluate(Program, Resolved, minimize(Program, Result));
      // Less may be lost with a hint than is with what would save it.
      if (!Best || Mine.Worth > Best->Worth)
        Best = std::move(Mine);
      if (!Again)
        return std::move(*Best);
    }
  }

private:
  static constexpr unsigned MaxRounds = 8;
  static constexpr size_t MostToWalk = 1000000;
  static constexpr size_t MaxSetSize = 64;
  /// How a context came to be where it does not run in the full decisions.
  struct Displacement {
    /// The dropped version that it would be in.
    Item From;
    /// The last version that it entered from a version 0 since.
    Item Entered;
  };
  /// A not-cold context reaches a cold hint.
  struct Violation {
    AllocationId Allocation;
    uint32_t Version;
    Displacement By;
  };

  Item item(FunctionId F, uint32_t Version) const {
    return FirstItem[F.index()] + Version - 1;
  }
  NeedsGraph::Node node(FunctionId F, uint32_t Version);
  NeedsGraph::Node node(Item I);
  void findNeeds();
  void findNotCold();
  void choose();
  std::vector<Violation> findViolations() const;
  bool addNeeds(ArrayRef<Violation> Violations);

  const ContextProgram &Program;
  const Resolution &Resolved;
  ArrayRef<Outcome> Outcomes;
  const Decisions &Decided;
  uint64_t Budget;
  std::vector<CallsiteId> OfCalls;
  std::vector<Item> FirstItem;
  NeedsGraph Graph;
  /// By item; none for those that no hinted context needs.
  std::vector<uint32_t> NodeOf;
  std::set<std::pair<Item, Item>> Needs;
  /// By place: whether a not-cold context is there or below.
  std::vector<bool> LeadsToNotCold;
  /// By item.
  std::vector<bool> Kept;
  Decisions Result;
};

NeedsGraph::Node VersionDropper::node(FunctionId F, uint32_t Version) {
  uint32_t &Node = NodeOf[item(F, Version)];
  if (Node == None)
    Node = Graph.add(0, Program[F].Instructions);
  return Node;
}

NeedsGraph::Node VersionDropper::node(Item I) {
  // The last function whose items begin at or before I; those without items
  // begin where the next begins.
  auto After = std::upper_bound(FirstItem.begin(), FirstItem.end(), I);
  FunctionId F(After - FirstItem.begin() - 1);
  return node(F, I - FirstItem[F.index()] + 1);
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

void VersionDropper::findNotCold() {
  LeadsToNotCold.resize(Resolved.numPlaces());
  for (size_t I = Resolved.numPlaces(); I-- != 0;) {
    for (ContextHere C : Resolved.contextsAt(PlaceId(I)))
      if (!C.isCold())
        LeadsToNotCold[I] = true;
    if (LeadsToNotCold[I])
      for (PlaceEdge E : Resolved.callersOf(PlaceId(I)))
        LeadsToNotCold[E.From.index()] = true;
  }
}

void VersionDropper::choose() {
  std::vector<bool> Chosen = Graph.chooseWithin(Budget);
  Kept.assign(NodeOf.size(), false);
  for (Item I = 0; I != NodeOf.size(); ++I)
    Kept[I] = NodeOf[I] != None && Chosen[NodeOf[I]];
  Result = Decided;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    for (uint32_t &To : Result.Clones[I])
      if (To != 0 && !Kept[item(Program[CallsiteId(I)].Callee, To)])
        To = 0;
}

std::vector<VersionDropper::Violation> VersionDropper::findViolations() const {
  std::vector<Violation> Found;
  VersionSets Sets;
  std::vector<uint32_t> At(Resolved.numPlaces(), VersionSets::Empty);
  // By place and version, where all that comes here was displaced.
  DenseMap<std::pair<uint32_t, uint32_t>, Displacement> Displaced;
  // Those that were not displaced come first of those in one version.
  using Arrival = std::tuple<uint32_t, bool, Item, Item>;
  SmallVector<Arrival, 8> Arrivals;
  for (size_t I = 0; I != Resolved.numPlaces(); ++I) {
    PlaceId P(I);
    const Place &Here = Resolved[P];
    if (!LeadsToNotCold[I])
      continue;
    Arrivals.clear();
    if (Here.BindsAllVersions) {
      for (uint32_t V = 0; V != Decided.NumVersions[Here.Function.index()]; ++V)
        if (V == 0 || Kept[item(Here.Function, V)])
          Arrivals.push_back({V, false, None, None});
    } else if (Here.BindsOriginal) {
      Arrivals.push_back({0, false, None, None});
    }
    auto Arrive = [&](CallId Via, uint32_t V, const Displacement *Before) {
      size_t Callsite = OfCalls[Via.index()].index();
      uint32_t Full = Decided.Clones[Callsite][V];
      uint32_t To = Result.Clones[Callsite][V];
      if (To != Full)
        Arrivals.push_back({To, true, item(Here.Function, Full), None});
      else if (!Before)
        Arrivals.push_back({To, false, None, None});
      else
        Arrivals.push_back({To, true, Before->From,
                            To == 0  ? None
                            : V == 0 ? item(Here.Function, To)
                                     : Before->Entered});
    };
    for (PlaceEdge E : Resolved.callersOf(P))
      for (uint32_t V : Sets[At[E.From.index()]]) {
        auto Before = Displaced.find({E.From.index(), V});
        Arrive(E.Via, V, Before == Displaced.end() ? nullptr : &Before->second);
      }
    // By a call that may be repeated, from each version that was come to.
    for (size_t Next = 0; Next != Arrivals.size(); ++Next) {
      auto [V, WasDisplaced, From, Entered] = Arrivals[Next];
      bool IsFirst =
          none_of(ArrayRef(Arrivals).take_front(Next),
                  [V = V](const Arrival &A) { return std::get<0>(A) == V; });
      Displacement Mine = {From, Entered};
      for (PlaceEdge E : Resolved.callersOf(P))
        if (E.From == P && IsFirst)
          Arrive(E.Via, V, WasDisplaced ? &Mine : nullptr);
    }
    llvm::sort(Arrivals);
    Sets.begin();
    uint32_t Last = None;
    for (auto [Version, WasDisplaced, From, Entered] : Arrivals) {
      if (Version == Last)
        continue;
      Last = Version;
      Sets.add(Version);
      if (WasDisplaced)
        Displaced[{static_cast<uint32_t>(I), Version}] = {From, Entered};
    }
    At[I] = Sets.finish();

    for (ContextHere C : Resolved.contextsAt(P)) {
      if (C.isCold())
        continue;
      AllocationId A = C.allocation();
      for (uint32_t V : Sets[At[I]])
        if (Result.Hints[A.index()][V] == Temperature::Cold)
          Found.push_back({A, V,
                           Displaced.lookup_or({static_cast<uint32_t>(I), V},
                                               Displacement{None, None})});
    }
  }
  return Found;
}

/// Whether there is anything to choose again for.
bool VersionDropper::addNeeds(ArrayRef<Violation> Violations) {
  bool Changed = false;
  for (const Violation &V : Violations) {
    auto [From, Entered] = V.By;
    if (From == None || Entered == None ||
        !Needs.insert({Entered, From}).second)
      continue;
    Graph.addNeed(node(Entered), node(From));
    Changed = true;
  }
  return Changed;
}

} // namespace

EvaluatedDecisions thermocline::context::dropVersions(
    const ContextProgram &Program, const Resolution &Resolved,
    ArrayRef<Outcome> Outcomes, const Decisions &Decided,
    uint64_t MaxInstructions) {
  return VersionDropper(Program, Resolved, Outcomes, Decided, MaxInstructions)
      .run();
}
