//===- Profile/StackTrie.cpp - Call stacks by their common callers --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackTrie.h"
#include <utility>

using namespace thermocline::profile;

StackTrie::Node StackTrie::add(Node Parent, uint32_t Frame) {
  Entry &Added = Nodes.emplace_back();
  Added.Parent = Parent;
  Added.Frame = Frame;
  return static_cast<Node>(Nodes.size() - 1);
}

size_t StackTrie::slotOf(Node Parent, uint32_t Frame) const {
  uint64_t Key = uint64_t(Parent) << 32 | Frame;
  Key = (Key ^ Key >> 32) * 0x9E3779B97F4A7C15U;
  for (size_t I = Key ^ Key >> 29;; ++I) {
    const size_t Slot = I & (Slots.size() - 1);
    const Entry &Found = Nodes[Slots[Slot]];
    if (Slots[Slot] == Root || (Found.Parent == Parent && Found.Frame == Frame))
      return Slot;
  }
}

StackTrie::Node StackTrie::otherChild(Node Parent, uint32_t Frame) {
  const Node First = Nodes[Parent].FirstChild;
  Node Found = First;
  if (First == Root)
    Nodes[Parent].FirstChild = Found = add(Parent, Frame);
  else if (Nodes[First].Frame != Frame)
    Found = inSlots(Parent, Frame);
  // No child comes after the root, which is nobody's.
  if (const Node Before = std::exchange(Nodes[Parent].LastFound, Found))
    Nodes[Before].Next = Found;
  return Found;
}

StackTrie::Node StackTrie::inSlots(Node Parent, uint32_t Frame) {
  Node &Found = Slots[slotOf(Parent, Frame)];
  if (Found != Root)
    return Found;
  const Node Added = Found = add(Parent, Frame);
  if (++NumInSlots * 3 > Slots.size() * 2)
    grow();
  return Added;
}

void StackTrie::grow() {
  const std::vector<Node> Old =
      std::exchange(Slots, std::vector<Node>(Slots.size() * 2));
  for (Node N : Old)
    if (N != Root)
      Slots[slotOf(Nodes[N].Parent, Nodes[N].Frame)] = N;
}
