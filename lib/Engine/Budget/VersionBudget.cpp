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
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>
#include <set>
#include <tuple>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace {

/// This is the number of a version other than version 0, counted over all
/// functions.
using Item = uint32_t;
constexpr uint32_t None = ~0u;

using Node = DependencyGraph::Node;

/// Holds sets of nodes, each as a smaller set and one node more, because most
/// are those of a way from the root and go on from the one above. Sets to which
/// the same nodes were added in the same order have the same number.
class NodeSets {
public:
  explicit NodeSets(DependencyGraph &Graph) : Graph(Graph) {}

  static constexpr uint32_t Empty = 0;

  /// \returns \p Set with \p N. If that were large, it holds a single node that
  /// depends on all of \p Set instead, so that ways that continue a long way
  /// share it.
  uint32_t with(uint32_t Set, Node N) {
    constexpr uint32_t MaxSize = 32;
    if (contains(Set, N))
      return Set;
    if (Sets[Set].Size == MaxSize)
      Set = with(Empty, node(Set));
    auto [It, New] = Known.try_emplace({Set, N}, Sets.size());
    if (New)
      Sets.push_back({.Rest = Set,
                      .Last = N,
                      .Size = Sets[Set].Size + 1,
                      .Mask = Sets[Set].Mask | bit(N)});
    return It->second;
  }
  uint32_t join(uint32_t A, uint32_t B) {
    if (A == B)
      return A;
    uint32_t Both = std::min(A, B);
    Further.clear();
    for (uint32_t S = std::max(A, B); S != Empty; S = Sets[S].Rest)
      Further.push_back(Sets[S].Last);
    for (Node N : reverse(Further))
      Both = with(Both, N);
    return Both;
  }

  /// \returns a node that depends on all of \p Set.
  Node node(uint32_t Set) {
    if (Sets[Set].Whole == None) {
      Node Whole = Graph.add(0, 0);
      for (uint32_t S = Set; S != Empty; S = Sets[S].Rest)
        Graph.addDependency(Whole, Sets[S].Last);
      Sets[Set].Whole = Whole;
    }
    return Sets[Set].Whole;
  }

private:
  struct Entry {
    uint32_t Rest = Empty;
    Node Last = None;
    uint32_t Size = 0;
    /// This is the node for the set, or None as long as nobody asked for it.
    Node Whole = None;
    /// This has the bits of all nodes.
    uint64_t Mask = 0;
  };

  static uint64_t bit(Node N) { return uint64_t(1) << (N % 64); }

  bool contains(uint32_t Set, Node N) const {
    for (; (Sets[Set].Mask & bit(N)) != 0; Set = Sets[Set].Rest)
      if (Sets[Set].Last == N)
        return true;
    return false;
  }

  DependencyGraph &Graph;
  std::vector<Entry> Sets = {{}};
  DenseMap<std::pair<uint32_t, Node>, uint32_t> Known;
  std::vector<Node> Further;
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
    findDependencies();
    findNotCold();
    std::optional<EvaluatedDecisions> Best;
    for (unsigned Round = 0;; ++Round) {
      choose();
      std::vector<Violation> Violations = findViolations();
      bool Again = (Round + 1) * Resolved.numTrieStates() < MostToWalk &&
                   Round != MaxRounds && addDependencies(Violations);
      for (const Violation &V : Violations)
        Result.Hints[V.Allocation.index()][V.Version] = Temperature::NotCold;
      EvaluatedDecisions Mine =
          evaluate(Program, Resolved, minimize(Program, Result));
      // It may cost less to lose a hint than to keep what would save it.
      if (!Best || Mine.Benefit > Best->Benefit)
        Best = std::move(Mine);
      if (!Again)
        return std::move(*Best);
    }
  }

private:
  static constexpr unsigned MaxRounds = 8;
  static constexpr size_t MostToWalk = 1000000;
  /// This says how a context came to a version in which it does not run in the
  /// full decisions.
  struct Displacement {
    /// The context would be in this version.
    Item Dropped;
    /// Since then, this is the last version that it entered from a version 0.
    Item Entered;
  };
  /// This says where a not-cold context reaches a cold hint.
  struct Violation {
    AllocationId Allocation;
    uint32_t Version;
    Displacement Cause;
  };
  class ViolationFinder;

  Item item(FunctionId F, uint32_t Version) const {
    return FirstItem[F.index()] + Version - 1;
  }
  Node node(FunctionId F, uint32_t Version);
  std::vector<bool> leadToHinted() const;
  Node node(Item I);
  void findDependencies();
  void findNotCold();
  void choose();
  std::vector<Violation> findViolations() const;
  bool addDependencies(ArrayRef<Violation> Violations);

  const ContextProgram &Program;
  const Resolution &Resolved;
  ArrayRef<Outcome> Outcomes;
  const Decisions &Decided;
  uint64_t Budget;
  std::vector<CallsiteId> OfCalls;
  std::vector<Item> FirstItem;
  DependencyGraph Graph;
  /// This is indexed by item. It is None for items that no hinted context
  /// needs.
  std::vector<uint32_t> NodeOf;
  /// These dependencies were added after a choice.
  std::set<std::pair<Item, Item>> Added;
  /// This is indexed by trie state and says whether a not-cold context is there
  /// or below.
  std::vector<bool> LeadsToNotCold;
  /// This is indexed by item and says whether it is kept.
  std::vector<bool> Kept;
  Decisions Result;
};

Node VersionDropper::node(FunctionId F, uint32_t Version) {
  uint32_t &Node = NodeOf[item(F, Version)];
  if (Node == None)
    Node = Graph.add(0, Program[F].Instructions);
  return Node;
}

Node VersionDropper::node(Item I) {
  // This finds the last function whose items begin at or before I. Functions
  // without items begin where the next function begins.
  auto After = std::upper_bound(FirstItem.begin(), FirstItem.end(), I);
  FunctionId F(After - FirstItem.begin() - 1);
  return node(F, I - FirstItem[F.index()] + 1);
}

/// \returns for each trie state whether a hinted context is there or below.
std::vector<bool> VersionDropper::leadToHinted() const {
  std::vector<bool> Leads(Resolved.numTrieStates());
  for (size_t I = Resolved.numTrieStates(); I-- != 0;) {
    for (ContextHere C : Resolved.contextsAt(TrieStateId(I)))
      if (Outcomes[C.id().index()] == Outcome::HintedCold)
        Leads[I] = true;
    if (Leads[I])
      for (TrieEdge E : Resolved.callersOf(TrieStateId(I)))
        Leads[E.Caller.index()] = true;
  }
  return Leads;
}

void VersionDropper::findDependencies() {
  const std::vector<bool> LeadsToHinted = leadToHinted();
  ReachedVersions Reached(Program, Resolved, Decided);
  NodeSets Sets(Graph);
  // This holds for each trie state the nodes that it takes to come there.
  std::vector<uint32_t> SetAt(Resolved.numTrieStates(), NodeSets::Empty);
  for (size_t I = 0; I != Resolved.numTrieStates(); ++I) {
    TrieStateId P(I);
    const TrieState &Here = Resolved[P];
    if (!LeadsToHinted[I])
      continue;
    uint32_t Set = NodeSets::Empty;
    for (TrieEdge E : Resolved.callersOf(P))
      Set = Sets.join(Set, SetAt[E.Caller.index()]);
    // A context that begins here in all versions does not need them to exist.
    if (!Here.BindsAllVersions)
      for (uint32_t V : Reached[P])
        if (V != 0)
          Set = Sets.with(Set, node(Here.Function, V));
    SetAt[I] = Set;
    if (Set == NodeSets::Empty)
      continue;
    for (ContextHere C : Resolved.contextsAt(P))
      if (Outcomes[C.id().index()] == Outcome::HintedCold)
        Graph.addBenefit(Sets.node(Set), Program.benefit(C.id()));
  }
}

void VersionDropper::findNotCold() {
  LeadsToNotCold.resize(Resolved.numTrieStates());
  for (size_t I = Resolved.numTrieStates(); I-- != 0;) {
    for (ContextHere C : Resolved.contextsAt(TrieStateId(I)))
      if (!C.isCold())
        LeadsToNotCold[I] = true;
    if (LeadsToNotCold[I])
      for (TrieEdge E : Resolved.callersOf(TrieStateId(I)))
        LeadsToNotCold[E.Caller.index()] = true;
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

/// Follows not-cold contexts from the roots down, by what was chosen.
class VersionDropper::ViolationFinder {
public:
  explicit ViolationFinder(const VersionDropper &Dropper)
      : Resolved(Dropper.Resolved), Dropper(Dropper),
        SetAt(Resolved.numTrieStates(), VersionSets::Empty) {}

  std::vector<Violation> run() {
    for (size_t I = 0; I != Resolved.numTrieStates(); ++I)
      if (Dropper.LeadsToNotCold[I]) {
        findArrivals(TrieStateId(I));
        takeArrivals(TrieStateId(I));
        findAt(TrieStateId(I));
      }
    return std::move(Found);
  }

private:
  /// How not-cold contexts come to a version. Among the arrivals in one
  /// version, those that were not displaced come first.
  struct Arrival {
    uint32_t Version;
    bool WasDisplaced = false;
    Displacement Cause = {None, None};

    bool operator<(const Arrival &Other) const { return key() < Other.key(); }
    std::tuple<uint32_t, bool, Item, Item> key() const {
      return {Version, WasDisplaced, Cause.Dropped, Cause.Entered};
    }
  };

  void arrive(FunctionId F, CallId Via, uint32_t V, const Displacement *Before);
  void findArrivals(TrieStateId P);
  void takeArrivals(TrieStateId P);
  void findAt(TrieStateId P);

  const Resolution &Resolved;
  const VersionDropper &Dropper;
  /// The versions in which not-cold contexts are at each trie state.
  VersionSets Sets;
  std::vector<uint32_t> SetAt;
  /// This has an entry for a trie state and a version if all that comes there
  /// was displaced.
  DenseMap<std::pair<uint32_t, uint32_t>, Displacement> Displaced;
  /// The arrivals at the trie state that is looked at.
  SmallVector<Arrival, 8> Arrivals;
  std::vector<Violation> Found;
};

/// Adds what comes to \p F from version \p V of the caller, where it is if
/// \p Before displaced it; null if nothing did.
void VersionDropper::ViolationFinder::arrive(FunctionId F, CallId Via,
                                             uint32_t V,
                                             const Displacement *Before) {
  size_t Callsite = Dropper.OfCalls[Via.index()].index();
  uint32_t Full = Dropper.Decided.Clones[Callsite][V];
  uint32_t Reached = Dropper.Result.Clones[Callsite][V];
  if (Reached != Full)
    Arrivals.push_back({Reached, true, {Dropper.item(F, Full), None}});
  else if (!Before)
    Arrivals.push_back({Reached});
  else
    Arrivals.push_back({Reached,
                        true,
                        {Before->Dropped, Reached == 0 ? None
                                          : V == 0 ? Dropper.item(F, Reached)
                                                   : Before->Entered}});
}

void VersionDropper::ViolationFinder::findArrivals(TrieStateId P) {
  const TrieState &Here = Resolved[P];
  const FunctionId F = Here.Function;
  Arrivals.clear();
  if (Here.BindsAllVersions) {
    for (uint32_t V = 0; V != Dropper.Decided.NumVersions[F.index()]; ++V)
      if (V == 0 || Dropper.Kept[Dropper.item(F, V)])
        Arrivals.push_back({V});
  } else if (Here.BindsOriginal) {
    Arrivals.push_back({0});
  }
  for (TrieEdge E : Resolved.callersOf(P))
    for (uint32_t V : Sets[SetAt[E.Caller.index()]]) {
      auto Before = Displaced.find({E.Caller.index(), V});
      arrive(F, E.Via, V,
             Before == Displaced.end() ? nullptr : &Before->second);
    }
  // A call that may be repeated leads here again from each version that was
  // reached.
  for (size_t Next = 0; Next != Arrivals.size(); ++Next) {
    const Arrival Mine = Arrivals[Next];
    if (any_of(ArrayRef(Arrivals).take_front(Next),
               [&](const Arrival &A) { return A.Version == Mine.Version; }))
      continue;
    for (TrieEdge E : Resolved.callersOf(P))
      if (E.Caller == P)
        arrive(F, E.Via, Mine.Version,
               Mine.WasDisplaced ? &Mine.Cause : nullptr);
  }
}

/// Takes the first arrival of each version for all of them.
void VersionDropper::ViolationFinder::takeArrivals(TrieStateId P) {
  llvm::sort(Arrivals);
  Sets.begin();
  uint32_t Last = None;
  for (const Arrival &A : Arrivals) {
    if (A.Version == Last)
      continue;
    Last = A.Version;
    Sets.add(A.Version);
    if (A.WasDisplaced)
      Displaced[{P.index(), A.Version}] = A.Cause;
  }
  SetAt[P.index()] = Sets.finish();
}

void VersionDropper::ViolationFinder::findAt(TrieStateId P) {
  for (ContextHere C : Resolved.contextsAt(P)) {
    if (C.isCold())
      continue;
    AllocationId A = C.allocation();
    for (uint32_t V : Sets[SetAt[P.index()]])
      if (Dropper.Result.Hints[A.index()][V] == Temperature::Cold)
        Found.push_back(
            {A, V,
             Displaced.lookup_or({P.index(), V}, Displacement{None, None})});
  }
}

std::vector<VersionDropper::Violation> VersionDropper::findViolations() const {
  return ViolationFinder(*this).run();
}

/// \returns whether a dependency was added, so that it is worth choosing again.
bool VersionDropper::addDependencies(ArrayRef<Violation> Violations) {
  bool Changed = false;
  for (const Violation &V : Violations) {
    auto [Dropped, Entered] = V.Cause;
    if (Dropped == None || Entered == None ||
        !Added.insert({Entered, Dropped}).second)
      continue;
    Graph.addDependency(node(Entered), node(Dropped));
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
