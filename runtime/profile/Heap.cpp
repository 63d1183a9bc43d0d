//===- profile/Heap.cpp - The memory below the profiled allocator ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "System.h"

using namespace thermocline::runtime;

constexpr Heap::BatchTable Heap::Batches;

bool Heap::initialize() {
  size_t Size = size_t(sizeclass::Count) << RegionShift;
  void *Range = sys::mapPages(Size);
  if (!Range)
    return false;
  sys::markSparse(Range, Size);
  Base = reinterpret_cast<uintptr_t>(Range);
  for (unsigned Class = 0; Class != sizeclass::Count; ++Class)
    Classes[Class].Top.store(regionBegin(Class));
  return true;
}

Heap::Block Heap::allocateLarge(size_t Size) {
  if (Size > SIZE_MAX - sizeof(LargeBlock) - PageBytes)
    return {nullptr, false};
  size_t Mapped = roundUp(Size + sizeof(LargeBlock), PageBytes);
  auto *Large = static_cast<LargeBlock *>(sys::mapPages(Mapped));
  if (!Large)
    return {nullptr, false};
  Large->MappedBytes = Mapped;
  Guard G(LargeLock);
  Large->Next = FirstLarge;
  if (FirstLarge)
    FirstLarge->Previous = Large;
  FirstLarge = Large;
  return {Large + 1, true};
}

/// \p Class has no free block in its present list.
Heap::Block Heap::refill(unsigned Number, HeapCache::SizeClass &Class) {
  if (Class.Spare.First) {
    Class.Present = Class.Spare;
    Class.Spare = {};
  } else if (Class.Unused == Class.UnusedEnd) {
    SizeClass &Shared = Classes[Number];
    Guard G(Shared.Mutex);
    if (FreeBlock *First = Shared.Batches) {
      Shared.Batches = First->NextBatch;
      Class.Present = {First, First->BatchSize};
    } else {
      size_t Bytes = sizeclass::blockBytes(Number);
      uintptr_t Begin = Shared.Top.loadRelaxed();
      size_t Blocks = (regionBegin(Number + 1) - Begin) / Bytes;
      if (Blocks > batchBlocks(Number))
        Blocks = batchBlocks(Number);
      Class.Unused = Begin;
      Class.UnusedEnd = Begin + Blocks * Bytes;
      Shared.Top.store(Class.UnusedEnd);
    }
  }
  if (FreeBlock *Free = Class.Present.First) {
    Class.Present = {Free->Next, Class.Present.Size - 1};
    return {Free, false};
  }
  if (Class.Unused == Class.UnusedEnd)
    return allocateLarge(sizeclass::blockBytes(Number));
  uintptr_t Begin = Class.Unused;
  Class.Unused += sizeclass::blockBytes(Number);
  return {reinterpret_cast<void *>(Begin), true};
}

void Heap::pushBatch(unsigned Number, FreeBlock *First, uint32_t Size) {
  SizeClass &Shared = Classes[Number];
  First->BatchSize = Size;
  Guard G(Shared.Mutex);
  First->NextBatch = Shared.Batches;
  Shared.Batches = First;
}

/// The present list of \p Class is a full batch.
void Heap::makeRoom(unsigned Number, HeapCache::SizeClass &Class) {
  if (Class.Spare.First)
    pushBatch(Number, Class.Spare.First, Class.Spare.Size);
  Class.Spare = Class.Present;
  Class.Present = {};
}

void Heap::empty(HeapCache &Cache) {
  for (unsigned Number = 0; Number != sizeclass::NumCached; ++Number) {
    HeapCache::SizeClass &Class = Cache.Classes[Number];
    if (Class.Present.First)
      pushBatch(Number, Class.Present.First, Class.Present.Size);
    if (Class.Spare.First)
      pushBatch(Number, Class.Spare.First, Class.Spare.Size);
    Class.Present = Class.Spare = {};
  }
}

/// Batches of these classes have one block.
Heap::Block Heap::allocateShared(size_t Size) {
  if (Size > sizeclass::Max)
    return allocateLarge(Size);
  unsigned Number = sizeclass::classOf(Size);
  SizeClass &Class = Classes[Number];
  {
    Guard G(Class.Mutex);
    if (FreeBlock *Free = Class.Batches) {
      Class.Batches = Free->NextBatch;
      return {Free, false};
    }
    uintptr_t Begin = Class.Top.loadRelaxed();
    uintptr_t End = Begin + sizeclass::blockBytes(Number);
    if (End <= regionBegin(Number + 1)) {
      Class.Top.store(End);
      return {reinterpret_cast<void *>(Begin), true};
    }
  }
  return allocateLarge(Size);
}

bool Heap::findSmall(uintptr_t Address, uintptr_t &Begin, size_t &Size) const {
  uintptr_t Offset = Address - Base;
  if (Offset >= uintptr_t(sizeclass::Count) << RegionShift)
    return false;
  auto Class = static_cast<unsigned>(Offset >> RegionShift);
  Size = sizeclass::blockBytes(Class);
  uintptr_t InRegion = Address - regionBegin(Class);
  Begin = Address - InRegion % Size;
  return true;
}

void Heap::releaseShared(void *Begin) {
  uintptr_t Offset = reinterpret_cast<uintptr_t>(Begin) - Base;
  if (Offset < uintptr_t(sizeclass::Count) << RegionShift) {
    auto *Free = static_cast<FreeBlock *>(Begin);
    Free->Next = nullptr;
    pushBatch(static_cast<unsigned>(Offset >> RegionShift), Free, 1);
    return;
  }
  auto *Large = static_cast<LargeBlock *>(Begin) - 1;
  {
    Guard G(LargeLock);
    if (Large->Next)
      Large->Next->Previous = Large->Previous;
    (Large->Previous ? Large->Previous->Next : FirstLarge) = Large->Next;
  }
  sys::unmapPages(Large, Large->MappedBytes);
}

void Heap::lockAll() {
  for (SizeClass &Class : Classes)
    Class.Mutex.lock();
  LargeLock.lock();
}

void Heap::unlockAll() {
  LargeLock.unlock();
  for (SizeClass &Class : Classes)
    Class.Mutex.unlock();
}
