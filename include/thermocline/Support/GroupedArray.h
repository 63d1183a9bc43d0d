//===- Support/GroupedArray.h - Items of groups, side by side ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a vector of vectors holds, in two stretches of memory: the items, those
// of a group side by side, and where each group begins. For sparse matrices
// this is the compressed row format.
//
// Groups are numbered from 0, by an integer or by an Id. A table is either
// sorted into groups at once, or built one group after the other.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_GROUPEDARRAY_H
#define THERMOCLINE_SUPPORT_GROUPEDARRAY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace thermocline {

/// At most 2^32 - 1 items.
template <typename Group, typename Item> class GroupedArray {
public:
  GroupedArray() = default;

  /// Sorts items into \p NumGroups groups. \p ForEach is called twice, with a
  /// function that it is to call with the group and the item, for each item and
  /// both times in the same order. In a group they stay in that order.
  template <typename Callback>
  GroupedArray(size_t NumGroups, Callback ForEach) : Begins(NumGroups + 2) {
    // Counted two groups later, summed up, and then moved on by each item that
    // is put there, the beginning of a group is where it belongs in the end.
    ForEach([&](Group G, const auto &) { ++Begins[index(G) + 2]; });
    for (size_t I = 2; I != Begins.size(); ++I)
      Begins[I] += Begins[I - 1];
    Items.resize(Begins.back());
    ForEach([&](Group G, const auto &Each) {
      Items[Begins[index(G) + 1]++] = Each;
    });
    Begins.pop_back();
  }

  size_t numGroups() const { return Begins.size() - 1; }
  size_t numItems() const { return Items.size(); }

  llvm::ArrayRef<Item> operator[](Group G) const {
    return llvm::ArrayRef(Items).slice(Begins[index(G)], size(G));
  }
  llvm::MutableArrayRef<Item> operator[](Group G) {
    return llvm::MutableArrayRef(Items).slice(Begins[index(G)], size(G));
  }

  void reserve(size_t NumGroups, size_t NumItems) {
    Begins.reserve(NumGroups + 1);
    Items.reserve(NumItems);
  }
  /// Adds to the group after the last.
  void add(Item Each) { Items.push_back(std::move(Each)); }
  template <typename Range> void append(const Range &All) {
    llvm::append_range(Items, All);
  }
  /// That group is whole, and what is added from now on is of the next.
  void endGroup() { Begins.push_back(Items.size()); }

private:
  static size_t index(Group G) {
    if constexpr (std::is_integral_v<Group>)
      return G;
    else
      return G.index();
  }
  size_t size(Group G) const { return Begins[index(G) + 1] - Begins[index(G)]; }

  std::vector<Item> Items;
  /// By group, and one more for where the last ends.
  std::vector<uint32_t> Begins = {0};
};

} // namespace thermocline

#endif
