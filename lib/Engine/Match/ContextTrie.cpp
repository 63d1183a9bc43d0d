//===- Engine/Match/ContextTrie.cpp - All contexts, root first ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContextTrie.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
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

/// The frames of each context, its root first.
class ContextTrie::FrameRows {
public:
  FrameRows(ArrayRef<uint32_t> First, ArrayRef<FrameId> Frames)
      : First(First), Frames(Frames) {}

  size_t size() const { return First.size() - 1; }
  size_t numFrames() const { return Frames.size(); }
  ArrayRef<FrameId> operator[](ContextId C) const {
    return Frames.slice(First[C.index()],
                        First[C.index() + 1] - First[C.index()]);
  }

private:
  ArrayRef<uint32_t> First;
  ArrayRef<FrameId> Frames;
};

/// The frames of the contexts in [Begin, End), where \p First says that each
/// has its own.
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

  FrameRows Rows(First, Frames);
  sort(Rows, Numbers.size());
  addNodes(Rows);
}

/// Sorts the contexts by their frames. One comes before those that go on from
/// it, and frames that no callsite has come last; of equal ones, the first
/// first.
void ContextTrie::sort(const FrameRows &Rows, size_t NumNumbers) {
  Order.reserve(Rows.size());
  for (size_t I = 0; I != Rows.size(); ++I)
    Order.push_back(ContextId(I));
  // 0 for no frame.
  const unsigned BitsOfFrame = llvm::bit_width(NumNumbers + 1);
  const unsigned FramesInKey = 64 / BitsOfFrame;
  auto KeyOf = [&](ContextId C, uint32_t Depth) {
    ArrayRef<FrameId> Row = Rows[C].drop_front(Depth).take_front(FramesInKey);
    uint64_t Key = 0;
    for (FrameId Frame : Row)
      Key = Key << BitsOfFrame | (Frame ? Frame.index() + 1 : NumNumbers + 1);
    // Without a frame the shift could be by all bits.
    return Row.empty() ? 0 : Key << (FramesInKey - Row.size()) * BitsOfFrame;
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

void ContextTrie::addNodes(const FrameRows &Rows) {
  Leaves.resize(Rows.size());
  // At most; what is not used is never touched.
  Nodes.reserve(Rows.numFrames() + 1);
  Nodes.push_back({Root, FrameId()});
  // The nodes down to the last leaf.
  std::vector<uint32_t> Way = {Root};
  ArrayRef<FrameId> Before;
  for (ContextId C : Order) {
    ArrayRef<FrameId> Row = Rows[C];
    size_t Length = std::min(Before.size(), Row.size());
    size_t Shared =
        std::mismatch(Row.begin(), Row.begin() + Length, Before.begin()).first -
        Row.begin();
    Way.resize(Shared + 1);
    for (FrameId Frame : Row.drop_front(Shared)) {
      Nodes.push_back({Way.back(), Frame});
      Way.push_back(Nodes.size() - 1);
    }
    Leaves[C.index()] = Way.back();
    Before = Row;
  }
}
