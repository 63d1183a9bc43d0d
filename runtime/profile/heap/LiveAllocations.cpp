//===- profile/heap/LiveAllocations.cpp - What is in use ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks over the allocations that live, while other threads allocate and free.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"

using namespace thermocline::runtime;

Allocations::Extent Allocations::find(const void *Address) const {
  if (Over)
    return Over->Find(Address);
  auto Number = reinterpret_cast<uintptr_t>(Address);
  const auto *Block = static_cast<const Header *>(TheHeap->findBlock(Number));
  if (!Block)
    return {nullptr, 0};
  uint32_t State = Block->State.load();
  uintptr_t Begin = Block->user();
  size_t Size = Block->size();
  if (!isLive(State) || Number - Begin >= Size)
    return {nullptr, 0};
  return {reinterpret_cast<const void *>(Begin), Size};
}

Allocations::Amount Allocations::inUse() const {
  if (Over)
    return Over->InUse();
  Amount Result = {};
  TheHeap->visitBlocks([&](void *At) {
    const auto *Block = static_cast<const Header *>(At);
    uint32_t State = Block->State.load();
    if (!isLive(State))
      return;
    ++Result.Count;
    Result.Bytes += Block->size();
  });
  return Result;
}

bool Allocations::read(void *Address, LiveAllocation &Result) {
  auto *Block = static_cast<Header *>(Address);
  for (int Try = 0; Try != 2; ++Try) {
    uint16_t Sequence = Block->Mark.Sequence.load();
    uint32_t State = Block->State.load();
    if (!isLive(State))
      return false;
    if (Sequence % 2)
      continue;
    uint32_t Context = Block->Context;
    Result.Weight = Block->weight();
    Result.Life.SizeBytes = Block->size();
    // A thread that allocates while the walk is on may be ahead of it.
    Result.Life.AllocatedAt = Result.Life.FreedAt = Block->AllocatedAt;
    Result.Life.AllocatedOnCpu = Result.Life.FreedOnCpu = Block->Cpu;
    Result.Address = Block->user();
    Result.Mark = &Block->Mark;
    Result.Sequence = Sequence;
    if (Block->Mark.Sequence.load() != Sequence || Block->State.load() != State)
      continue;
    if (State == ShadowTracked) {
      endTracking(static_cast<CallId>(Context), Result.Address,
                  Result.Life.SizeBytes);
      return false;
    }
    Result.Context = static_cast<ContextId>(Context);
    return Result.Context != ContextId::None;
  }
  return false;
}
