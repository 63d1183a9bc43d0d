//===- Profile/StackTrie.h - Stacks by their common callers -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tree of call stacks, from the root on. What stacks share is there once. A
// stack is a node: the path to it. Most nodes have one child: that is beside
// its parent, and only the others are in a hash table. Few look-ups reach it,
// because stacks of several runs come in much the same order: the child that
// followed another the last time is looked at first.
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
    const Node Before = Nodes[Parent].LastFound;
    if (const Node Next = Nodes[Before].Next;
        Next != Root && Nodes[Next].Frame == Frame)
      return Nodes[Parent].LastFound = Next;
    return otherChild(Parent, Frame);
  }

private:
  struct Entry {
    Node Parent = Root;
    uint32_t Frame = 0;
    Node FirstChild = Root;
    /// The child that was found last.
    Node LastFound = Root;
    /// The child of Parent that was found after this one the last time.
    Node Next = Root;
  };

  Node add(Node Parent, uint32_t Frame);
  Node otherChild(Node Parent, uint32_t Frame);
  Node inSlots(Node Parent, uint32_t Frame);
  void grow();
  /// Where \p Frame of \p Parent is in Slots, or the slot where it has to be.
  size_t slotOf(Node Parent, uint32_t Frame) const;

  std::vector<Entry> Nodes;
  /// All children but the first of each node: a hash table with linear probing.
  /// Root is an empty slot.
  std::vector<Node> Slots;
  size_t NumInSlots = 0;
};

} // namespace thermocline::profile

#endif
