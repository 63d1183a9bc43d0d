//===- Engine/Budget/Closure.cpp - The most benefit within a budget -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Closure.h"
#include "DensityBalance.h"
#include "thermocline/Support/GroupedArray.h"
#include <algorithm>
#include <optional>
#include <queue>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

namespace thermocline::context {

/// Chooses from a DependencyGraph. Nodes that cost something are *items*; nodes
/// with a benefit that depend on some item are *groups*.
class Chooser {
public:
  using Node = DependencyGraph::Node;
  /// This holds the product of two 64-bit quantities.
  using Product = unsigned __int128;

  Chooser(const DependencyGraph &Graph, uint64_t Budget)
      : Graph(Graph), Budget(Budget),
        Dependencies(Graph.size(),
                     [&](auto Add) {
                       for (auto [Dependent, Needed] : Graph.Edges)
                         Add(Dependent, Needed);
                     }),
        Dependents(Graph.size(),
                   [&](auto Add) {
                     for (auto [Dependent, Needed] : Graph.Edges)
                       Add(Needed, Dependent);
                   }),
        VisitedIn(Graph.size()),
        MostEffort(64 * (Graph.size() + Graph.Edges.size()) + 1000000) {}

  std::vector<bool> run() {
    Set All = sum(std::vector<bool>(Graph.size(), true));
    if (All.Cost <= Budget)
      return All.Has;
    Set Free = sum(closedWithin({}));
    if (!findGroups(Free))
      return Free.Has;
    auto [Below, Above] = enclose();
    Set Best = filled(std::move(Below));
    // If the balance finds no certain corner for a long stretch, peeling from
    // above finds the nodes that belong together.
    if (Set Rest = filled(peeled(Free, Above)); Best.Benefit < Rest.Benefit)
      Best = std::move(Rest);
    return Best.Has;
  }

private:
  struct Set {
    std::vector<bool> Has;
    uint64_t Benefit = 0, Cost = 0;
  };
  /// This is what a set gains if a node is chosen with all that it depends on.
  struct Gain {
    Node Chosen;
    uint64_t Benefit, Cost;
  };

  Set sum(std::vector<bool> Has) const;
  std::vector<bool> closedWithin(ArrayRef<Node> Affordable) const;
  bool findGroups(const Set &Free);
  std::pair<Set, Set> enclose() const;
  std::optional<Gain> gain(Node Chosen, const Set &To, uint64_t MostCost);
  std::optional<Gain> affordableGain(Node Chosen, const Set &To) {
    return gain(Chosen, To, Budget - To.Cost);
  }
  std::vector<Gain> affordableGains(const Set &To);
  void take(const Gain &G, Set &Start);
  Set filled(Set Start);
  Set peeled(const Set &Free, const Set &Start);

  const DependencyGraph &Graph;
  uint64_t Budget;
  GroupedArray<Node, Node> Dependencies, Dependents;
  std::vector<Node> Items, Groups;
  /// This is indexed by the number of the item.
  std::vector<uint64_t> ItemCosts;
  /// This is indexed by the number of the group.
  std::vector<uint64_t> GroupBenefits;
  /// This holds, for the number of each group, the numbers of the items that it
  /// depends on.
  GroupedArray<uint32_t, uint32_t> ItemsOf;
  /// VisitedIn holds for each node the last visit that came to it. Visited
  /// holds the nodes of the last visit.
  std::vector<uint32_t> VisitedIn;
  uint32_t Visit = 0;
  std::vector<Node> Visited;
  /// Effort counts the nodes visited so far. Where ways are long and shared,
  /// the search stops at MostEffort.
  uint64_t Effort = 0, MostEffort;
};

} // namespace thermocline::context

Chooser::Set Chooser::sum(std::vector<bool> Has) const {
  Set Result;
  for (size_t I = 0; I != Has.size(); ++I)
    if (Has[I]) {
      Result.Benefit += Graph.Benefits[I];
      Result.Cost += Graph.Costs[I];
    }
  Result.Has = std::move(Has);
  return Result;
}

/// \returns the nodes that depend on nothing with a cost except \p Affordable.
std::vector<bool> Chooser::closedWithin(ArrayRef<Node> Affordable) const {
  std::vector<bool> Closed(Graph.size(), true);
  std::vector<bool> Costly(Graph.size());
  for (Node N = 0; N != Graph.size(); ++N)
    Costly[N] = Graph.Costs[N] != 0;
  for (Node N : Affordable)
    Costly[N] = false;
  std::vector<Node> Worklist;
  auto Open = [&](Node N) {
    if (!Closed[N])
      return;
    Closed[N] = false;
    Worklist.push_back(N);
  };
  for (Node N = 0; N != Graph.size(); ++N)
    if (Costly[N])
      Open(N);
  while (!Worklist.empty()) {
    Node N = Worklist.back();
    Worklist.pop_back();
    for (Node Other : Dependents[N])
      Open(Other);
  }
  return Closed;
}

/// Numbers items and groups. \returns false if that takes too much effort.
bool Chooser::findGroups(const Set &Free) {
  std::vector<uint32_t> Number(Graph.size());
  for (Node N = 0; N != Graph.size(); ++N)
    if (Graph.Costs[N] != 0) {
      Number[N] = Items.size();
      Items.push_back(N);
      ItemCosts.push_back(Graph.Costs[N]);
    }
  for (Node N = 0; N != Graph.size(); ++N) {
    if (Graph.Benefits[N] == 0 || Free.Has[N])
      continue;
    if (!gain(N, Free, ~uint64_t(0)))
      return false;
    Groups.push_back(N);
    GroupBenefits.push_back(Graph.Benefits[N]);
    for (Node Other : Visited)
      if (Graph.Costs[Other] != 0)
        ItemsOf.add(Number[Other]);
    ItemsOf.endGroup();
  }
  return true;
}

/// \returns the nearest certain corners, one below the budget and one above it.
std::pair<Chooser::Set, Chooser::Set> Chooser::enclose() const {
  constexpr unsigned NumRounds = 16;
  DensityBalance Balanced(ItemCosts, GroupBenefits, ItemsOf);
  Balanced.enclose(Budget, NumRounds);
  std::vector<Node> Affordable;
  auto TakeAlso = [&](ArrayRef<uint32_t> Further) {
    for (uint32_t I : Further)
      Affordable.push_back(Items[I]);
    return sum(closedWithin(Affordable));
  };
  Set Below = TakeAlso(Balanced.within());
  return {std::move(Below), TakeAlso(Balanced.between())};
}

/// \returns what \p Chosen adds to \p To, or none if that costs more than
/// \p MostCost or the effort is used up. Visited then holds the nodes that were
/// visited.
std::optional<Chooser::Gain> Chooser::gain(Node Chosen, const Set &To,
                                           uint64_t MostCost) {
  if (Effort > MostEffort)
    return std::nullopt;
  Gain Result = {Chosen, 0, 0};
  ++Visit;
  Visited.clear();
  auto Come = [&](Node N) {
    if (To.Has[N] || VisitedIn[N] == Visit)
      return;
    VisitedIn[N] = Visit;
    Visited.push_back(N);
    Result.Benefit += Graph.Benefits[N];
    Result.Cost += Graph.Costs[N];
  };
  Come(Chosen);
  for (size_t I = 0; I != Visited.size(); ++I) {
    if (Result.Cost > MostCost || ++Effort > MostEffort)
      return std::nullopt;
    for (Node N : Dependencies[Visited[I]])
      Come(N);
  }
  if (Result.Cost > MostCost)
    return std::nullopt;
  return Result;
}

std::vector<Chooser::Gain> Chooser::affordableGains(const Set &To) {
  std::vector<Gain> Result;
  for (Node N : Groups)
    if (!To.Has[N])
      if (std::optional<Gain> G = affordableGain(N, To))
        Result.push_back(*G);
  return Result;
}

/// Adds to \p Start what was visited last. \p G must be what gain() returned
/// last.
void Chooser::take(const Gain &G, Set &Start) {
  for (Node N : Visited)
    Start.Has[N] = true;
  Start.Benefit += G.Benefit;
  Start.Cost += G.Cost;
}

Chooser::Set Chooser::filled(Set Start) {
  // What one choice has paid for makes others cheaper, so the loop looks again
  // until nothing fits.
  for (;;) {
    std::vector<Gain> Gains = affordableGains(Start);
    if (Gains.empty())
      return Start;
    std::sort(Gains.begin(), Gains.end(), [](const Gain &A, const Gain &B) {
      Product X = Product(A.Benefit) * B.Cost, Y = Product(B.Benefit) * A.Cost;
      return X != Y ? X > Y : A.Chosen < B.Chosen;
    });
    for (const Gain &G : Gains)
      if (!Start.Has[G.Chosen])
        if (std::optional<Gain> Now = affordableGain(G.Chosen, Start))
          take(*Now, Start);
  }
}

/// \returns \p Start, which costs more than the budget, without some items and
/// without what depends on them. The items that lose least for their cost go
/// first, one after the other.
Chooser::Set Chooser::peeled(const Set &Free, const Set &Start) {
  std::vector<bool> IsGroupGone(Groups.size()), IsItemGone(Items.size());
  for (uint32_t G = 0; G != Groups.size(); ++G)
    IsGroupGone[G] = !Start.Has[Groups[G]];
  auto ForEachNeed = [&](auto Use) {
    for (uint32_t G = 0; G != Groups.size(); ++G)
      if (Start.Has[Groups[G]])
        for (uint32_t I : ItemsOf[G])
          Use(I, G);
  };
  const GroupedArray<uint32_t, uint32_t> NeededBy(Items.size(), ForEachNeed);
  // For each item, these hold what the remaining groups would lose without it,
  // and how many groups need it.
  std::vector<uint64_t> Losses(Items.size());
  std::vector<uint32_t> NumNeeding(Items.size());
  ForEachNeed([&](uint32_t I, uint32_t G) {
    Losses[I] += GroupBenefits[G];
    ++NumNeeding[I];
  });
  // The queue keeps stale entries. What is lost with an item only falls, so an
  // entry that is not stale comes before those that it replaces.
  struct Entry {
    uint64_t Loss;
    uint32_t Item;
  };
  auto LaterThan = [&](const Entry &A, const Entry &B) {
    Product X = Product(A.Loss) * ItemCosts[B.Item];
    Product Y = Product(B.Loss) * ItemCosts[A.Item];
    return X != Y ? X > Y : A.Item > B.Item;
  };
  std::priority_queue<Entry, std::vector<Entry>, decltype(LaterThan)> Queue(
      LaterThan);
  uint64_t Cost = Free.Cost;
  for (uint32_t I = 0; I != Items.size(); ++I)
    if (NumNeeding[I] != 0) {
      Cost += ItemCosts[I];
      Queue.push({Losses[I], I});
    }
  // These items lost some of the groups that need them, but not all.
  std::vector<uint32_t> Touched;
  std::vector<bool> IsTouched(Items.size());
  while (Cost > Budget && !Queue.empty()) {
    auto [Loss, Peeled] = Queue.top();
    Queue.pop();
    if (IsItemGone[Peeled] || Loss != Losses[Peeled])
      continue;
    Touched.clear();
    for (uint32_t G : NeededBy[Peeled]) {
      if (IsGroupGone[G])
        continue;
      IsGroupGone[G] = true;
      for (uint32_t I : ItemsOf[G]) {
        Losses[I] -= GroupBenefits[G];
        if (--NumNeeding[I] == 0) {
          IsItemGone[I] = true;
          Cost -= ItemCosts[I];
        } else if (!IsTouched[I]) {
          IsTouched[I] = true;
          Touched.push_back(I);
        }
      }
    }
    for (uint32_t I : Touched) {
      IsTouched[I] = false;
      if (!IsItemGone[I])
        Queue.push({Losses[I], I});
    }
  }
  Set Result = Free;
  for (uint32_t G = 0; G != Groups.size(); ++G)
    if (!IsGroupGone[G])
      if (std::optional<Gain> Mine = affordableGain(Groups[G], Result))
        take(*Mine, Result);
  return Result;
}

std::vector<bool> DependencyGraph::chooseWithin(uint64_t Budget) const {
  return Chooser(*this, Budget).run();
}
