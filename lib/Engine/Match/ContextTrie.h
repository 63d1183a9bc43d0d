//===- Engine/Match/ContextTrie.h - All contexts, root first ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All contexts of a program in one trie of frames, root of the stack first.
// Nodes are numbered in preorder, so that a node comes after all above it, and
// a stretch of frames that only one context has is a stretch of memory.
//
// Frames are stack ids made dense: those that some callsite has, and one for
// all others, which can match nothing anyway.
//
// Contexts are sorted by as many frames at a time as 64 bits hold, then each
// adds the nodes that it does not share with the one before it. Cost: linear in
// the frames, and a sort of numbers for each 64 bits that contexts share.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_MATCH_CONTEXTTRIE_H
#define THERMOCLINE_LIB_ENGINE_MATCH_CONTEXTTRIE_H

#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/DenseMap.h"

namespace thermocline::context {

/// This is the number of a stack id that some callsite has. There is none for
/// other stack ids.
using FrameId = Id<struct FrameTag, uint32_t>;

/// Numbers the stack ids of a program's callsites from 0, in order of callsite.
class FrameNumbers {
public:
  explicit FrameNumbers(const ContextProgram &Program);

  size_t size() const { return NumFrames; }
  /// \returns the number of \p S, or none if no callsite has that stack id.
  FrameId operator[](StackId S) const {
    for (size_t Slot = slot(S);; Slot = (Slot + 1) & Mask)
      if (!Slots[Slot].Number || Slots[Slot].Key == S)
        return Slots[Slot].Number;
  }

private:
  struct Entry {
    StackId Key;
    FrameId Number;
  };
  size_t slot(StackId S) const {
    return (raw(S) * 0x9E3779B97F4A7C15u >> 32) & Mask;
  }

  std::vector<Entry> Slots;
  size_t Mask = 0;
  size_t NumFrames = 0;
};

class ContextTrie {
public:
  static constexpr uint32_t Root = 0;

  ContextTrie(const ContextProgram &Program, const FrameNumbers &Numbers);

  /// \returns the number of nodes. It includes the root, which has no frame.
  size_t size() const { return Nodes.size(); }
  uint32_t parent(uint32_t Node) const { return Nodes[Node].Parent; }
  FrameId frame(uint32_t Node) const { return Nodes[Node].Frame; }
  /// \returns the node that all frames of \p C lead to.
  uint32_t leaf(ContextId C) const { return Leaves[C.index()]; }
  /// \returns all contexts in the order of their leaves.
  llvm::ArrayRef<ContextId> contexts() const { return Order; }

private:
  struct Node {
    uint32_t Parent;
    FrameId Frame;
  };
  class FrameRow;
  FrameRow row(ContextId C) const;
  void sort(size_t NumNumbers);
  void addNodes();

  const ContextProgram &Program;
  /// This is indexed by ContextFrame and holds the number of its stack id.
  std::vector<FrameId> NumberOf;
  std::vector<Node> Nodes;
  std::vector<uint32_t> Leaves;
  std::vector<ContextId> Order;
};

} // namespace thermocline::context

#endif
