//===- Profile/StackTrie.h - Call stacks by their common callers -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tree of call stacks, from the root on. What stacks share is there once. A
// stack is a node: the path to it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_STACKTRIE_H
#define THERMOCLINE_PROFILE_STACKTRIE_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thermocline::profile {

class StackTrie {
public:
  /// The root, which is no frame, is 0. A node is greater than its parent.
  using Node = uint32_t;
  static constexpr Node Root = 0;

  StackTrie() : Nodes(1), Slots(16) {}

  size_t size() const { return Nodes.size(); }
  Node parent(Node N) const { return Nodes[N].Parent; }
  uint32_t frame(Node N) const { return Nodes[N].Frame; }

  /// The node of \p Frame that \p Parent called, which is added if it is new.
  Node child(Node Parent, uint32_t Frame) {
    for (size_t I = slot(Parent, Frame);; ++I) {
      Slot &Found = Slots[I & (Slots.size() - 1)];
      if (Found.Number == Root) {
        const Node Added = static_cast<Node>(Nodes.size());
        Found = {{Parent, Frame}, Added};
        Nodes.push_back(Found.Key);
        if (Nodes.size() * 3 > Slots.size() * 2)
          grow();
        return Added;
      }
      if (Found.Key.Parent == Parent && Found.Key.Frame == Frame)
        return Found.Number;
    }
  }

private:
  struct Entry {
    Node Parent = Root;
    uint32_t Frame = 0;
  };
  /// The key is here once more, because each access may miss the cache.
  struct Slot {
    Entry Key;
    Node Number = Root;
  };

  /// Where the search begins.
  static size_t slot(Node Parent, uint32_t Frame) {
    uint64_t Key = uint64_t(Parent) << 32 | Frame;
    Key = (Key ^ Key >> 32) * 0x9E3779B97F4A7C15U;
    return Key ^ Key >> 29;
  }
  void grow();

  std::vector<Entry> Nodes;
  /// A hash table with linear probing; Root is an empty slot.
  std::vector<Slot> Slots;
};

} // namespace thermocline::profile

#endif
