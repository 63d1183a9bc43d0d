//===- Budget/DensityBalance.h - Corners without a cut ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the corners of the frontier (see Closure.h) are minimum cuts, which
// take seconds in graphs with hundreds of thousands of groups. Where does the
// frontier run, roughly, and which of its corners are certain?
//
// The dual of all the cuts at once: each group divides its benefit among the
// items that it depends on, so that the densities of items, benefit received
// for cost, become as equal as they can. In balance a group gives only to the
// least dense of its items, and for any price the best closure is what is
// denser (the lexicographically optimal base of Fujishige, 1980). One group
// after the other is balanced exactly, given all others; a few rounds of that
// bring most items near their densities.
//
// A density is a *corner* for certain if no group that depends on an item below
// it gives to one above it: then all benefit above comes from closed groups.
//
// Cost: a round is linear in the items of all groups, times the logarithm of
// the most that one has.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_DENSITYBALANCE_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_DENSITYBALANCE_H

#include "thermocline/Support/GroupedArray.h"

namespace thermocline::context {

class DensityBalance {
public:
  /// \p Costs are those of the items, none of them 0. \p Benefits are those of
  /// the groups, \p ItemsOf the items that each depends on, at least one. Costs
  /// and benefits have to outlive this.
  DensityBalance(llvm::ArrayRef<uint64_t> Costs,
                 llvm::ArrayRef<uint64_t> Benefits,
                 const GroupedArray<uint32_t, uint32_t> &ItemsOf);

  void run(unsigned Rounds);
  /// \returns the items, the densest first.
  llvm::ArrayRef<uint32_t> order() const { return Order; }
  /// \returns, in rising order, how many of the first items in order() are a
  /// best closure at some price.
  std::vector<uint32_t> corners() const;

private:
  /// This is the part of a group's benefit that an item was given.
  struct Share {
    uint32_t Item;
    double Given;
  };

  void level(uint32_t Group);

  llvm::ArrayRef<uint64_t> Costs, Benefits;
  GroupedArray<uint32_t, Share> SharesOf;
  /// This is indexed by item and holds the benefit that it received.
  std::vector<double> Received;
  std::vector<uint32_t> Order;
  /// This holds the densities of the items of one group, and the index of the
  /// share that each item has.
  std::vector<std::pair<double, uint32_t>> Scratch;
};

} // namespace thermocline::context

#endif
