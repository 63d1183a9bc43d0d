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
// What is above a certain corner and what is below it no longer affect each
// other. So when corners are found on both sides of the budget, further rounds
// are only about what is between the nearest two.
//
// Cost: a round is linear in the items of all groups that are left.
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
  /// have to outlive this.
  DensityBalance(llvm::ArrayRef<uint64_t> Costs,
                 llvm::ArrayRef<uint64_t> Benefits,
                 const GroupedArray<uint32_t, uint32_t> &ItemsOf);

  /// Finds the nearest corners on both sides of \p Budget that become certain
  /// in so many rounds. All items together cost more than that.
  void enclose(uint64_t Budget, unsigned Rounds);
  /// \returns the items above the corner within the budget.
  llvm::ArrayRef<uint32_t> within() const { return Within; }
  /// \returns the items between that corner and the one beyond the budget.
  llvm::ArrayRef<uint32_t> between() const { return Between; }

private:
  /// This is the part of a group's benefit that an item was given.
  struct Share {
    uint32_t Item;
    float Given;
  };
  struct Item {
    double Received = 0;
    double InverseCost;

    double density() const { return Received * InverseCost; }
  };

  void level(uint32_t Group);
  void sort();
  std::vector<uint32_t> corners();
  void narrow(uint32_t Below, uint32_t Above);

  llvm::ArrayRef<uint64_t> Costs;
  std::vector<Item> Items;
  /// These are indexed by the groups that are left. They have shares only in
  /// items of Between.
  std::vector<uint64_t> Benefits;
  GroupedArray<uint32_t, Share> SharesOf;
  std::vector<uint32_t> Within;
  /// The densest item comes first once they were sorted.
  std::vector<uint32_t> Between;
  /// This is indexed by item and holds the place of an item in Between, or None
  /// for others.
  std::vector<uint32_t> Ranks;
  static constexpr uint32_t None = ~0u;
  /// This holds the shares of one group that may be given something.
  std::vector<Share *> Scratch;
};

} // namespace thermocline::context

#endif
