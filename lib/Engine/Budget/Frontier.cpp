//===- Engine/Budget/Frontier.cpp - The most worth within a budget --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Frontier.h"
#include "Balance.h"
#include <algorithm>
#include <optional>
#include <queue>

using namespace llvm;
using namespace thermocline::context;

namespace thermocline::context {

/// Chooses from a NeedsGraph.
class Chooser {
public:
  using Node = NeedsGraph::Node;
  /// Products of two 64-bit quantities.
  using Product = unsigned __int128;

  Chooser(const NeedsGraph &Graph, uint64_t Budget)
      : Graph(Graph), Budget(Budget), VisitedIn(Graph.size()),
        MostEffort(64 * (Graph.size() + Graph.Needs.size()) + 1000000) {
    auto Group = [&](auto From, auto To, std::vector<uint32_t> &First,
                     std::vector<Node> &Grouped) {
      First.assign(Graph.size() + 1, 0);
      for (const auto &Need : Graph.Needs)
        ++First[Need.*From + 1];
      for (size_t I = 1; I != First.size(); ++I)
        First[I] += First[I - 1];
      std::vector<uint32_t> Next(First.begin(), First.end() - 1);
      Grouped.resize(Graph.Needs.size());
      for (const auto &Need : Graph.Needs)
        Grouped[Next[Need.*From]++] = Need.*To;
    };
    using Need = std::pair<Node, Node>;
    Group(&Need::first, &Need::second, FirstNeed, Needed);
    Group(&Need::second, &Need::first, FirstNeededBy, NeededBy);
  }

  std::vector<bool> run() {
    Set All = sum(std::vector<bool>(Graph.size(), true));
    if (All.Cost <= Budget)
      return All.Has;
    Set Free = sum(closedWithin({}));
    Set Below = Free;
    approach(Below, All);
    Set Above = std::move(All);
    Set Best = filled(Below);
    // Where balance is certain of nothing for long, what belongs together is
    // found from above.
    if (Set Rest = filled(peeled(Free, Above)); Best.Worth < Rest.Worth)
      Best = std::move(Rest);
    return Best.Has;
  }

private:
  static constexpr unsigned NumRounds = 16;
  struct Set {
    std::vector<bool> Has;
    uint64_t Worth = 0, Cost = 0;
  };
  /// What choosing a node adds to a set, with all that it needs.
  struct Gain {
    Node Of;
    uint64_t Worth, Cost;
  };

  ArrayRef<Node> needs(Node N) const {
    return ArrayRef(Needed).slice(FirstNeed[N],
                                  FirstNeed[N + 1] - FirstNeed[N]);
  }
  Set sum(std::vector<bool> Has) const;
  std::vector<bool> closedWithin(ArrayRef<Node> Affordable) const;
  void approach(Set &Low, Set &High);
  std::optional<Gain> gain(Node Of, const Set &To, bool Within = true);
  std::vector<Gain> gains(const Set &To);
  void take(const Gain &G, Set &Into);
  Set filled(Set Start);
  Set peeled(const Set &Free, const Set &Start);

  const NeedsGraph &Graph;
  uint64_t Budget;
  /// What each node needs, and what needs it.
  std::vector<uint32_t> FirstNeed, FirstNeededBy;
  std::vector<Node> Needed, NeededBy;
  /// By node: the last visit that came to it, and the nodes of that visit.
  std::vector<uint32_t> VisitedIn;
  uint32_t Visit = 0;
  std::vector<Node> Visited;
  /// Visits so far. Where needs are long and shared, so many are enough.
  uint64_t Effort = 0, MostEffort;
};

} // namespace thermocline::context

Chooser::Set Chooser::sum(std::vector<bool> Has) const {
  Set Result;
  for (size_t I = 0; I != Has.size(); ++I)
    if (Has[I]) {
      Result.Worth += Graph.Worths[I];
      Result.Cost += Graph.Costs[I];
    }
  Result.Has = std::move(Has);
  return Result;
}

/// What needs nothing that costs but \p Affordable.
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
    for (Node By : ArrayRef(NeededBy).slice(
             FirstNeededBy[N], FirstNeededBy[N + 1] - FirstNeededBy[N]))
      Open(By);
  }
  return Closed;
}

/// Brings \p Low and \p High to corners that are closer to the budget, where
/// that is cheap.
void Chooser::approach(Set &Low, Set &High) {
  std::vector<uint32_t> Number(Graph.size());
  std::vector<Node> Items;
  std::vector<uint64_t> Costs;
  for (Node N = 0; N != Graph.size(); ++N)
    if (Graph.Costs[N] != 0) {
      Number[N] = Items.size();
      Items.push_back(N);
      Costs.push_back(Graph.Costs[N]);
    }
  Balance Balanced(std::move(Costs));
  std::vector<uint32_t> Needed;
  for (Node N = 0; N != Graph.size(); ++N) {
    if (Graph.Worths[N] == 0 || Low.Has[N])
      continue;
    if (!gain(N, Low, /*Within=*/false))
      return;
    Needed.clear();
    for (Node Other : Visited)
      if (Graph.Costs[Other] != 0)
        Needed.push_back(Number[Other]);
    Balanced.addGroup(Graph.Worths[N], Needed);
  }
  Balanced.run(NumRounds);
  uint32_t Below = 0, Above = Items.size();
  std::vector<uint32_t> Corners = Balanced.corners();
  uint64_t Cost = 0;
  for (uint32_t End = 0, Next = 0; Next != Corners.size(); ++End) {
    if (Corners[Next] == End) {
      ++Next;
      if (Cost <= Budget) {
        Below = End;
      } else {
        Above = End;
        break;
      }
    }
    if (End != Items.size())
      Cost += Graph.Costs[Items[Balanced.order()[End]]];
  }
  auto Take = [&](uint32_t End) {
    std::vector<Node> Affordable;
    for (uint32_t I : Balanced.order().take_front(End))
      Affordable.push_back(Items[I]);
    return sum(closedWithin(Affordable));
  };
  if (Above != Items.size())
    High = Take(Above);
  if (Below != 0)
    Low = Take(Below);
}

/// None if \p Of and what it needs do not fit, and have to be \p Within the
/// budget, or enough was visited. Leaves what was visited in Visited.
std::optional<Chooser::Gain> Chooser::gain(Node Of, const Set &To,
                                           bool Within) {
  uint64_t Most = Within ? Budget - To.Cost : ~uint64_t(0);
  if (Effort > MostEffort)
    return std::nullopt;
  Gain Result = {Of, 0, 0};
  ++Visit;
  Visited.clear();
  auto Come = [&](Node N) {
    if (To.Has[N] || VisitedIn[N] == Visit)
      return;
    VisitedIn[N] = Visit;
    Visited.push_back(N);
    Result.Worth += Graph.Worths[N];
    Result.Cost += Graph.Costs[N];
  };
  Come(Of);
  for (size_t I = 0; I != Visited.size(); ++I) {
    if (Result.Cost > Most || ++Effort > MostEffort)
      return std::nullopt;
    for (Node N : needs(Visited[I]))
      Come(N);
  }
  if (Result.Cost > Most)
    return std::nullopt;
  return Result;
}

std::vector<Chooser::Gain> Chooser::gains(const Set &To) {
  std::vector<Gain> Result;
  for (Node N = 0; N != Graph.size(); ++N)
    if (!To.Has[N] && Graph.Worths[N] != 0)
      if (std::optional<Gain> G = gain(N, To))
        Result.push_back(*G);
  return Result;
}

/// \p G is what gain() gave last.
void Chooser::take(const Gain &G, Set &Into) {
  for (Node N : Visited)
    Into.Has[N] = true;
  Into.Worth += G.Worth;
  Into.Cost += G.Cost;
}

Chooser::Set Chooser::filled(Set Start) {
  // What one choice has paid for makes others cheaper: look again until nothing
  // fits.
  for (;;) {
    std::vector<Gain> Gains = gains(Start);
    if (Gains.empty())
      return Start;
    std::sort(Gains.begin(), Gains.end(), [](const Gain &A, const Gain &B) {
      Product X = Product(A.Worth) * B.Cost, Y = Product(B.Worth) * A.Cost;
      return X != Y ? X > Y : A.Of < B.Of;
    });
    for (const Gain &G : Gains)
      if (!Start.Has[G.Of])
        if (std::optional<Gain> Now = gain(G.Of, Start))
          take(*Now, Start);
  }
}

/// \p Start, more than the budget, without the items that lose least for what
/// they cost, one after the other, and without what needed them.
Chooser::Set Chooser::peeled(const Set &Free, const Set &Start) {
  struct Item {
    uint64_t Loss = 0;
    std::vector<Node> NeededBy;
    size_t NumNeeding = 0;
  };
  std::vector<Item> Items(Graph.size());
  // The groups, and the items that each needs.
  std::vector<Node> Groups;
  std::vector<std::vector<Node>> ItemsOf(Graph.size());
  for (Node N = 0; N != Graph.size(); ++N) {
    if (Graph.Worths[N] == 0 || Free.Has[N] || !Start.Has[N])
      continue;
    Groups.push_back(N);
    if (!gain(N, Free, /*Within=*/false))
      return Free;
    for (Node Needed : Visited)
      if (Graph.Costs[Needed] != 0) {
        ItemsOf[N].push_back(Needed);
        Items[Needed].NeededBy.push_back(N);
        Items[Needed].Loss += Graph.Worths[N];
        ++Items[Needed].NumNeeding;
      }
  }
  // A queue with stale entries: what is lost with an item only falls, so an
  // entry that is not stale comes before those that it replaces.
  struct Entry {
    uint64_t Loss;
    Node Of;
  };
  auto LaterThan = [&](const Entry &A, const Entry &B) {
    Product X = Product(A.Loss) * Graph.Costs[B.Of];
    Product Y = Product(B.Loss) * Graph.Costs[A.Of];
    return X != Y ? X > Y : A.Of > B.Of;
  };
  std::priority_queue<Entry, std::vector<Entry>, decltype(LaterThan)> Queue(
      LaterThan);
  uint64_t Cost = Free.Cost;
  for (Node N = 0; N != Graph.size(); ++N)
    if (Items[N].NumNeeding != 0) {
      Cost += Graph.Costs[N];
      Queue.push({Items[N].Loss, N});
    }
  std::vector<bool> Gone(Graph.size());
  while (Cost > Budget && !Queue.empty()) {
    auto [Loss, Peeled] = Queue.top();
    Queue.pop();
    if (Gone[Peeled] || Loss != Items[Peeled].Loss)
      continue;
    for (Node Group : Items[Peeled].NeededBy) {
      if (Gone[Group])
        continue;
      Gone[Group] = true;
      for (Node N : ItemsOf[Group]) {
        Items[N].Loss -= Graph.Worths[Group];
        if (--Items[N].NumNeeding != 0) {
          Queue.push({Items[N].Loss, N});
        } else {
          Gone[N] = true;
          Cost -= Graph.Costs[N];
        }
      }
    }
  }
  Set Result = Free;
  for (Node N : Groups)
    if (!Gone[N])
      if (std::optional<Gain> G = gain(N, Result))
        take(*G, Result);
  return Result;
}

std::vector<bool> NeedsGraph::chooseWithin(uint64_t Budget) const {
  return Chooser(*this, Budget).run();
}
