//===- profile/Heap.cpp - The memory below the profiled allocator ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "System.h"

using namespace thermocline::runtime;

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

Heap::Block Heap::allocate(size_t Size) {
  if (Size > sizeclass::Max)
    return allocateLarge(Size);
  unsigned Number = sizeclass::classOf(Size);
  SizeClass &Class = Classes[Number];
  {
    Guard G(Class.Mutex);
    if (FreeBlock *Free = Class.Free) {
      Class.Free = Free->Next;
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

void Heap::release(void *Begin) {
  uintptr_t Address = reinterpret_cast<uintptr_t>(Begin);
  uintptr_t Offset = Address - Base;
  if (Offset < uintptr_t(sizeclass::Count) << RegionShift) {
    SizeClass &Class = Classes[Offset >> RegionShift];
    auto *Free = static_cast<FreeBlock *>(Begin);
    Guard G(Class.Mutex);
    Free->Next = Class.Free;
    Class.Free = Free;
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
