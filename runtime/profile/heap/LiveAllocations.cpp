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
  if (OwnsNothing)
    return {nullptr, 0};
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
  if (OwnsNothing)
    return Result;
  TheHeap->visitBlocks([&](void *Address) {
    const auto *Block = static_cast<const Header *>(Address);
    uint32_t State = Block->State.load();
    if (!isLive(State))
      return;
    ++Result.Count;
    Result.Bytes += Block->size();
  });
  return Result;
}
