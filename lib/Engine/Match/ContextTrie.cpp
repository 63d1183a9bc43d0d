//===- Engine/Match/ContextTrie.cpp - All contexts, root first ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextTrie.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

FrameNumbers::FrameNumbers(const ContextProgram &Program) {
  size_t AtMost = 0;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    AtMost += Program[CallsiteId(I)].NumStackIds;
  // The table is never full, so every search ends.
  Slots.resize(NextPowerOf2(2 * AtMost));
  Mask = Slots.size() - 1;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    for (StackId S : Program.stackIds(CallsiteId(I))) {
      size_t Slot = slot(S);
      while (Slots[Slot].Number && Slots[Slot].Key != S)
        Slot = (Slot + 1) & Mask;
      if (!Slots[Slot].Number)
        Slots[Slot] = {S, FrameId(NumFrames++)};
    }
}

/// The frames of a context as the trie has them, its root first.
class ContextTrie::FrameRow {
public:
  FrameRow(ArrayRef<ContextFrame> Stack, ArrayRef<FrameId> NumberOf)
      : Stack(Stack), NumberOf(NumberOf) {}

  size_t size() const { return Stack.size(); }
  FrameId operator[](size_t I) const {
    return NumberOf[Stack[Stack.size() - 1 - I].index()];
  }

private:
  ArrayRef<ContextFrame> Stack;
  ArrayRef<FrameId> NumberOf;
};

ContextTrie::ContextTrie(const ContextProgram &Program,
                         const FrameNumbers &Numbers)
    : Program(Program) {
  NumberOf.reserve(Program.numFrames());
  for (size_t I = 0; I != Program.numFrames(); ++I)
    NumberOf.push_back(Numbers[Program.stackId(ContextFrame(I))]);
  sort(Numbers.size());
  addNodes();
}

ContextTrie::FrameRow ContextTrie::row(ContextId C) const {
  return FrameRow(Program.frames(C), NumberOf);
}

/// Sorts the contexts by their frames. A context comes before those that
/// continue it, and frames that no callsite has come last. Equal contexts keep
/// their order.
void ContextTrie::sort(size_t NumNumbers) {
  Order.reserve(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I)
    Order.push_back(ContextId(I));
  // In a key, 0 stands for no frame.
  const unsigned BitsOfFrame = llvm::bit_width(NumNumbers + 1);
  const unsigned FramesInKey = 64 / BitsOfFrame;
  auto KeyOf = [&](ContextId C, uint32_t Depth) {
    FrameRow Row = row(C);
    size_t End = std::min<size_t>(Row.size(), Depth + FramesInKey);
    uint64_t Key = 0;
    for (size_t I = Depth; I != End; ++I) {
      FrameId Frame = Row[I];
      Key = Key << BitsOfFrame | (Frame ? Frame.index() + 1 : NumNumbers + 1);
    }
    // If there were no frame, the shift could be by all 64 bits.
    return Key == 0 ? 0 : Key << (Depth + FramesInKey - End) * BitsOfFrame;
  };
  struct Range {
    uint32_t Begin, End;
    uint32_t Depth;
  };
  std::vector<std::pair<uint64_t, ContextId>> Keys;
  std::vector<Range> Unsorted = {{0, static_cast<uint32_t>(Order.size()), 0}};
  while (!Unsorted.empty()) {
    Range R = Unsorted.back();
    Unsorted.pop_back();
    Keys.clear();
    for (ContextId C : ArrayRef(Order).slice(R.Begin, R.End - R.Begin))
      Keys.push_back({KeyOf(C, R.Depth), C});
    llvm::sort(Keys);
    const uint64_t LastFrame = (uint64_t(1) << BitsOfFrame) - 1;
    for (uint32_t I = 0; I != Keys.size();) {
      const uint32_t Begin = I;
      const uint64_t Key = Keys[I].first;
      for (; I != Keys.size() && Keys[I].first == Key; ++I)
        Order[R.Begin + I] = Keys[I].second;
      if (I - Begin > 1 && (Key & LastFrame) != 0)
        Unsorted.push_back(
            {R.Begin + Begin, R.Begin + I, R.Depth + FramesInKey});
    }
  }
}

void ContextTrie::addNodes() {
  Leaves.resize(Program.numContexts());
  Nodes.push_back({Root, FrameId()});
  // This holds the nodes from the root down to the last leaf.
  std::vector<uint32_t> Way = {Root};
  // The order leads from one end of the program to the other. What comes soon
  // is asked for early: first the context, then its frames and its leaf.
  constexpr size_t ContextsAhead = 16, FramesAhead = 8;
  for (size_t Place = 0; Place != Order.size(); ++Place) {
    if (Place + ContextsAhead < Order.size())
      LLVM_PREFETCH(&Program[Order[Place + ContextsAhead]], 0, 3);
    if (Place + FramesAhead < Order.size()) {
      const ContextId Soon = Order[Place + FramesAhead];
      // Only the frames next to the root are surely read.
      if (ArrayRef<ContextFrame> Stack = Program.frames(Soon); !Stack.empty())
        LLVM_PREFETCH(&Stack.back(), 0, 3);
      LLVM_PREFETCH(&Leaves[Soon.index()], 1, 3);
    }
    const ContextId C = Order[Place];
    FrameRow Row = row(C);
    size_t Shared = 0;
    while (Shared != Row.size() && Shared + 1 != Way.size() &&
           Row[Shared] == Nodes[Way[Shared + 1]].Frame)
      ++Shared;
    Way.resize(Shared + 1);
    for (size_t I = Shared; I != Row.size(); ++I) {
      Nodes.push_back({Way.back(), Row[I]});
      Way.push_back(Nodes.size() - 1);
    }
    Leaves[C.index()] = Way.back();
  }
}
