//===- Budget/Closure.h - The most benefit within a budget ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: nodes have benefits and costs, and some depend on others. Choose a
// set that has all that it depends on (a closure), costs no more than the
// budget, and has the most benefit. With a budget this is NP-hard (a knapsack
// is a case of it); without, at a price per unit of cost, the best closure is a
// minimum cut (Picard, 1976).
//
// Best closures grow as the price falls (Gallo, Grigoriadis and Tarjan, 1989),
// and are the corners of the frontier of benefit over cost. DensityBalance.h
// finds some of them. From the one below the budget, what remains is filled
// greedily by benefit for cost; from the one above, what loses least for its
// cost is peeled off until the rest fits. The better of the two stands.
//
// The result has at least the benefit of the corner below the budget, and less
// than that of the corner above it, which bounds what is lost.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_CLOSURE_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_CLOSURE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thermocline::context {

class DependencyGraph {
public:
  using Node = uint32_t;

  Node add(uint64_t Benefit, uint64_t Cost) {
    Benefits.push_back(Benefit);
    Costs.push_back(Cost);
    return Benefits.size() - 1;
  }
  void addBenefit(Node N, uint64_t Benefit) { Benefits[N] += Benefit; }
  /// \p Dependent depends on \p Needed.
  void addDependency(Node Dependent, Node Needed) {
    Edges.push_back({Dependent, Needed});
  }
  size_t size() const { return Benefits.size(); }

  /// \returns for each node whether it is chosen. The sum of all benefits and
  /// the sum of all costs must each fit in 63 bits.
  std::vector<bool> chooseWithin(uint64_t Budget) const;

private:
  friend class Chooser;
  std::vector<uint64_t> Benefits, Costs;
  std::vector<std::pair<Node, Node>> Edges;
};

} // namespace thermocline::context

#endif
