//===- Context/ContextTrie.cpp - All contexts, root first -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextTrie.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;

FrameNumbers::FrameNumbers(const ContextProgram &Program) {
  size_t AtMost = 0;
  for (size_t I = 0; I != Program.numCallsites(); ++I)
    AtMost += Program[CallsiteId(I)].NumStackIds;
  // Never full, so that every search ends.
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

namespace {

/// Contexts that share a node, in [Begin, End) of the order.
struct Range {
  uint32_t Begin, End;
  uint32_t Depth;
  /// The node above, and the frame that leads from it to this range's node.
  uint32_t Above;
  FrameId Frame;
};

} // namespace

/// The frames of the contexts in [Begin, End), each context's root first:
/// ranges read on where they stopped. \p First says where each has its own.
static void numberFrames(const ContextProgram &Program,
                         const FrameNumbers &Numbers, ArrayRef<uint32_t> First,
                         size_t Begin, size_t End,
                         std::vector<FrameId> &Frames) {
  for (size_t I = Begin; I != End; ++I) {
    FrameId *Next = Frames.data() + First[I];
    for (StackId S : reverse(Program.stackIds(ContextId(I))))
      *Next++ = Numbers[S];
  }
}

ContextTrie::ContextTrie(const ContextProgram &Program,
                         const FrameNumbers &Numbers, unsigned Threads) {
  std::vector<uint32_t> First(Program.numContexts() + 1, 0);
  for (size_t I = 0; I != Program.numContexts(); ++I)
    First[I + 1] = First[I] + Program[ContextId(I)].NumStackIds;
  std::vector<FrameId> Frames(First.back());
  // Fewer contexts take less time than a thread takes to start.
  constexpr size_t LeastForAThread = 2000;
  size_t Shares = std::clamp<size_t>(Program.numContexts() / LeastForAThread, 1,
                                     std::max(Threads, 1u));
  if (Shares == 1) {
    numberFrames(Program, Numbers, First, 0, Program.numContexts(), Frames);
  } else {
    DefaultThreadPool Pool(hardware_concurrency(Shares));
    for (size_t Share = 0; Share != Shares; ++Share)
      Pool.async([&, Share] {
        numberFrames(Program, Numbers, First,
                     Program.numContexts() * Share / Shares,
                     Program.numContexts() * (Share + 1) / Shares, Frames);
      });
    Pool.wait();
  }

  Order.reserve(Program.numContexts());
  for (size_t I = 0; I != Program.numContexts(); ++I)
    Order.push_back(ContextId(I));
  Leaves.resize(Program.numContexts());
  // At most; what is not used is never touched.
  Nodes.reserve(Frames.size() + 1);
  Nodes.push_back({Root, FrameId()});
  std::vector<std::pair<FrameId, ContextId>> Keys;
  // Those frames of the range at hand, and by frame how many contexts have it
  // next; then where the next of them goes.
  std::vector<FrameId> Distinct;
  std::vector<uint32_t> Slots(Numbers.size() + 1, 0);
  auto SlotOf = [&](FrameId Frame) {
    return Frame ? Frame.index() : Numbers.size();
  };
  std::vector<Range> Stack = {
      {0, static_cast<uint32_t>(Order.size()), 0, Root, FrameId()}};
  while (!Stack.empty()) {
    Range R = Stack.back();
    Stack.pop_back();
    uint32_t Node = Root;
    if (R.Depth != 0) {
      Node = Nodes.size();
      Nodes.push_back({R.Above, R.Frame});
    }
    if (R.End - R.Begin == 1) {
      size_t C = Order[R.Begin].index();
      for (uint32_t I = First[C] + R.Depth; I != First[C + 1]; ++I) {
        Nodes.push_back({Node, Frames[I]});
        Node = Nodes.size() - 1;
      }
      Leaves[C] = Node;
      continue;
    }

    // Contexts that end here, then the others by their next frame.
    uint32_t Next = R.Begin;
    Keys.clear();
    Distinct.clear();
    for (uint32_t I = R.Begin; I != R.End; ++I) {
      ContextId C = Order[I];
      uint32_t At = First[C.index()] + R.Depth;
      if (At == First[C.index() + 1]) {
        Leaves[C.index()] = Node;
        Order[Next++] = C;
      } else {
        Keys.push_back({Frames[At], C});
        if (Slots[SlotOf(Frames[At])]++ == 0)
          Distinct.push_back(Frames[At]);
      }
    }
    llvm::sort(Distinct);
    size_t Bottom = Stack.size();
    for (FrameId Frame : Distinct) {
      uint32_t Number = std::exchange(Slots[SlotOf(Frame)], Next);
      Stack.push_back({Next, Next + Number, R.Depth + 1, Node, Frame});
      Next += Number;
    }
    for (auto [Frame, C] : Keys)
      Order[Slots[SlotOf(Frame)]++] = C;
    for (FrameId Frame : Distinct)
      Slots[SlotOf(Frame)] = 0;
    std::reverse(Stack.begin() + Bottom, Stack.end());
  }
}
