//===- Budget/Frontier.h - The most worth within a budget -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: things have worths and costs, and some need others. Choose a set
// that has all that it needs (a closure), costs no more than the budget, and is
// worth the most. With a budget this is NP-hard (a knapsack is a case of it);
// without, at a price per unit of cost, the best closure is a minimum cut
// (Picard, 1976).
//
// Best closures grow as the price falls (Gallo, Grigoriadis and Tarjan, 1989),
// and are the corners of the frontier of worth over cost. Balance.h finds some
// of them. From the one below the budget, what remains is filled greedily by
// worth for cost; from the one above, what loses least for its cost is peeled
// off until the rest fits. The better of the two stands.
//
// The result is worth at least that of the corner below the budget, and less
// than that of the corner above it, which bounds what is lost.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_FRONTIER_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_FRONTIER_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thermocline::context {

class NeedsGraph {
public:
  using Node = uint32_t;

  Node add(uint64_t Worth, uint64_t Cost) {
    Worths.push_back(Worth);
    Costs.push_back(Cost);
    return Worths.size() - 1;
  }
  void addWorth(Node N, uint64_t Worth) { Worths[N] += Worth; }
  void addNeed(Node Of, Node Needed) { Needs.push_back({Of, Needed}); }
  size_t size() const { return Worths.size(); }

  /// By node, whether it is chosen. The sums of worths and of costs must each
  /// fit 63 bits.
  std::vector<bool> chooseWithin(uint64_t Budget) const;

private:
  friend class Chooser;
  std::vector<uint64_t> Worths, Costs;
  std::vector<std::pair<Node, Node>> Needs;
};

} // namespace thermocline::context

#endif
