//===- Profile/StackTrie.cpp - Call stacks by their common callers --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Profile/StackTrie.h"

using namespace thermocline::profile;

void StackTrie::grow() {
  const size_t Size = Slots.size() * 2;
  // The nodes have what is in it.
  Slots = {};
  Slots.resize(Size);
  for (Node N = 1; N != Nodes.size(); ++N) {
    size_t I = slot(Nodes[N].Parent, Nodes[N].Frame) & (Size - 1);
    while (Slots[I].Number != Root)
      I = (I + 1) & (Size - 1);
    Slots[I] = {Nodes[N], N};
  }
}
