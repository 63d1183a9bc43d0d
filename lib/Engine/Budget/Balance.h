//===- Balance.h - Corners of the frontier, without a cut -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the corners of the frontier are minimum cuts, which take seconds in
// graphs with hundreds of thousands of groups. Where does the frontier run,
// roughly, and which of its corners are certain?
//
// The dual of all the cuts at once: each group divides its worth among the
// items that it needs, so that the densities of items, worth received for cost,
// become as equal as they can. In balance a group gives only to the least dense
// of its items, and for any price the best closure is what is denser (the
// lexicographically optimal base of Fujishige, 1980). One group after the other
// is balanced exactly, given all others; a few rounds of that bring most items
// near their densities.
//
// A density is a *corner* for certain if no group that needs an item below it
// gives to one above it: then all worth above comes from closed groups.
//
// Cost: a round is linear in what groups need, times the logarithm of the most
// that one needs.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_BALANCE_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_BALANCE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <vector>

namespace thermocline::context {

class Balance {
public:
  /// \p Costs are those of the items, none of them 0.
  explicit Balance(std::vector<uint64_t> Costs);

  /// A group that needs at least one item.
  void addGroup(uint64_t Worth, llvm::ArrayRef<uint32_t> Items);

  void run(unsigned Rounds);
  /// The items, densest first.
  llvm::ArrayRef<uint32_t> order() const { return Order; }
  /// How many of the first in order() are a best closure at some price, rising.
  std::vector<uint32_t> corners() const;

private:
  void level(size_t Group);

  std::vector<uint64_t> Costs;
  std::vector<uint64_t> Worths;
  /// By group: its needs begin here; one more at the end.
  std::vector<uint32_t> First = {0};
  std::vector<uint32_t> Needs;
  /// What each need was given of its group's worth.
  std::vector<double> Given;
  /// By item.
  std::vector<double> Received;
  std::vector<uint32_t> Order;
  std::vector<std::pair<double, uint32_t>> Scratch;
};

} // namespace thermocline::context

#endif
