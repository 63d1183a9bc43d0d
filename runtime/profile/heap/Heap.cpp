//===- profile/heap/Heap.cpp - The memory below the profiled allocator ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Heap.h"
#include "measure/Shadow.h"
#include "platform/Lock.h"
#include "platform/Memory.h"
#include "platform/System.h"

using namespace thermocline::runtime;

constexpr Heap::BatchTable Heap::Batches;

static_assert(arch::plansAreSound(sizeclass::Count));

bool Heap::initialize() {
  size_t Size = size_t(sizeclass::Count) << regionShift();
  bool IsTaken;
  void *Range = sys::mapPagesAt(rangeBegin(), Size, IsTaken);
  if (!Range)
    Range = sys::mapPages(Size);
  if (!Range)
    return false;
  sys::markSparse(Range, Size);
  // This shows where the kernel puts mappings that may be anywhere.
  void *Anywhere = sys::mapPages(pageBytes());
  if (!Anywhere)
    return false;
  sys::unmapPages(Anywhere, pageBytes());
  OwnsRange = reinterpret_cast<uintptr_t>(Range) == rangeBegin() &&
              !isInRange(reinterpret_cast<uintptr_t>(Anywhere));
  Base = reinterpret_cast<uintptr_t>(Range);
  Guard G(LargeLock);
  NextLarge = rangeBegin() + Size;
  for (unsigned Class = 0; Class != sizeclass::Count; ++Class)
    Classes[Class].Top.store(regionBegin(Class));
  return true;
}

/// LargeLock is held.
void Heap::link(LargeBlock *Large) {
  Large->Previous = nullptr;
  Large->Next = FirstLarge;
  if (FirstLarge)
    FirstLarge->Previous = Large;
  FirstLarge = Large;
  LargeBytes += Large->MappedBytes;
}

/// LargeLock is held.
void Heap::unlink(LargeBlock *Large) {
  if (Large->Next)
    Large->Next->Previous = Large->Previous;
  (Large->Previous ? Large->Previous->Next : FirstLarge) = Large->Next;
  LargeBytes -= Large->MappedBytes;
}

/// Clears the counters of \p Large. Its addresses may be used again much later,
/// and the counters would stay. Must be called before another block can be
/// there.
void Heap::discardCounters(const LargeBlock *Large) const {
  shadow::discard(reinterpret_cast<uintptr_t>(Large), Large->MappedBytes,
                  /*IsAlone=*/usesRange());
}

void Heap::unmapLarge(LargeBlock *Large) const {
  discardCounters(Large);
  sys::unmapPages(Large, Large->MappedBytes);
}

/// The smallest kept mapping that suffices, if it is not more than twice as
/// large. LargeLock is held.
Heap::LargeBlock *Heap::takeKept(size_t MappedBytes) {
  unsigned Best = NumKept;
  for (unsigned I = 0; I != NumKept; ++I)
    if (Kept[I]->MappedBytes >= MappedBytes &&
        Kept[I]->MappedBytes / 2 <= MappedBytes &&
        (Best == NumKept || Kept[I]->MappedBytes < Kept[Best]->MappedBytes))
      Best = I;
  if (Best == NumKept)
    return nullptr;
  LargeBlock *Result = Kept[Best];
  KeptBytes -= Result->MappedBytes;
  --NumKept;
  for (unsigned I = Best; I != NumKept; ++I)
    Kept[I] = Kept[I + 1];
  return Result;
}

/// Makes a mapping for one block. LargeLock is held.
Heap::LargeBlock *Heap::mapLarge(size_t Size) {
  if (!usesRange())
    return static_cast<LargeBlock *>(sys::mapPages(Size, sys::Use::Whole));
  uintptr_t First = regionBegin(sizeclass::Count);
  if (Size > rangeEnd() - First)
    return nullptr;
  // The kernel aligns like this what may be backed by huge pages.
  constexpr size_t HugePage = size_t(2) << 20;
  size_t Alignment = Size < HugePage ? shadow::pageOfCountersBytes() : HugePage;
  // Upwards, and again from the beginning, where others may have been unmapped.
  // Only in a range nearly full of odd sizes can this miss a gap.
  constexpr int MaxTries = 1000;
  bool IsTaken = true;
  for (int Try = 0; IsTaken && Try != MaxTries; ++Try) {
    uintptr_t Address = roundUp(NextLarge, Alignment);
    if (Address > rangeEnd() - Size)
      Address = First;
    NextLarge = Address + roundUp(Size, pageBytes());
    if (void *Mapped = sys::mapPagesAt(Address, Size, IsTaken, sys::Use::Whole))
      return static_cast<LargeBlock *>(Mapped);
  }
  return nullptr;
}

size_t Heap::mappedBytesFor(size_t Size) {
  // Eight sizes to each power of two, so that one fits the next; the pages that
  // are not asked for are not touched.
  size_t Step = size_t(1) << (63 - __builtin_clzl(Size) - 3);
  // Without gaps the kernel counts neighbours as one mapping.
  if (Step < shadow::pageOfCountersBytes())
    Step = shadow::pageOfCountersBytes();
  return roundUp(Size + sizeof(LargeBlock), Step);
}

Heap::Block Heap::allocateLarge(size_t Size) {
  if (Size > SIZE_MAX / 2)
    return {nullptr, false};
  size_t Mapped = mappedBytesFor(Size);
  Guard G(LargeLock);
  if (LargeBlock *Large = takeKept(Mapped)) {
    link(Large);
    return {Large + 1, false};
  }
  LargeBlock *Large = mapLarge(Mapped);
  if (!Large)
    return {nullptr, false};
  Large->MappedBytes = Mapped;
  link(Large);
  return {Large + 1, true};
}

void *Heap::prepareLarge(size_t Size) {
  size_t Mapped = mappedBytesFor(Size);
  Guard G(LargeLock);
  LargeBlock *Large = mapLarge(Mapped);
  if (!Large)
    return nullptr;
  Large->MappedBytes = Mapped;
  return Large + 1;
}

bool Heap::moveLarge(void *From, void *To) {
  LargeBlock *Old = static_cast<LargeBlock *>(From) - 1;
  LargeBlock *New = static_cast<LargeBlock *>(To) - 1;
  size_t OldBytes = Old->MappedBytes, NewBytes = New->MappedBytes;
  Guard G(LargeLock);
  unlink(Old);
  discardCounters(Old);
  if (!sys::movePages(Old, OldBytes, New, NewBytes)) {
    // The kernel may refuse, for example if the program has given some of the
    // pages other properties. What was there may be gone.
    sys::unmapPages(New, NewBytes);
    bool IsTaken;
    if (!sys::mapPagesAt(reinterpret_cast<uintptr_t>(New), NewBytes, IsTaken,
                         sys::Use::Whole)) {
      link(Old);
      return false;
    }
    copyBytes(New, Old, OldBytes < NewBytes ? OldBytes : NewBytes);
    unmapLarge(Old);
  }
  New->MappedBytes = NewBytes;
  link(New);
  return true;
}

/// Takes a batch for \p Class, which has no free block in its present list.
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

/// Makes room in \p Class, whose present list is a full batch.
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

/// Allocates a block of a class whose batches have one block.
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
  if (Offset >= uintptr_t(sizeclass::Count) << regionShift())
    return false;
  auto Class = static_cast<unsigned>(Offset >> regionShift());
  Size = sizeclass::blockBytes(Class);
  uintptr_t InRegion = Address - regionBegin(Class);
  Begin = Address - InRegion % Size;
  return true;
}

void *Heap::findBlock(uintptr_t Address) {
  uintptr_t Begin;
  size_t Size;
  if (findSmall(Address, Begin, Size)) {
    auto Class = static_cast<unsigned>((Address - Base) >> regionShift());
    return Begin < Classes[Class].Top.load() ? reinterpret_cast<void *>(Begin)
                                             : nullptr;
  }
  Guard G(LargeLock);
  for (LargeBlock *L = FirstLarge; L; L = L->Next)
    if (Address - reinterpret_cast<uintptr_t>(L) < L->MappedBytes)
      return L + 1;
  return nullptr;
}

Heap::Sizes Heap::sizes() {
  Sizes Result = {};
  if (!Base)
    return Result;
  for (unsigned Class = 0; Class != sizeclass::Count; ++Class)
    Result.SmallBytes += Classes[Class].Top.load() - regionBegin(Class);
  Guard G(LargeLock);
  Result.LargeBytes = LargeBytes + KeptBytes;
  return Result;
}

void Heap::releaseShared(void *Begin) {
  uintptr_t Offset = reinterpret_cast<uintptr_t>(Begin) - Base;
  if (Offset < uintptr_t(sizeclass::Count) << regionShift()) {
    auto *Free = static_cast<FreeBlock *>(Begin);
    Free->Next = nullptr;
    pushBatch(static_cast<unsigned>(Offset >> regionShift()), Free, 1);
    return;
  }
  auto *Large = static_cast<LargeBlock *>(Begin) - 1;
  LargeBlock *Unneeded[MaxKept + 1];
  unsigned NumUnneeded = 0;
  {
    Guard G(LargeLock);
    unlink(Large);
    // The kept mappings add little to what is in use.
    const size_t Limit = LeastKeptLimit + LargeBytes / 8;
    unsigned Oldest = 0;
    while (Oldest != NumKept && (NumKept - Oldest == MaxKept ||
                                 KeptBytes + Large->MappedBytes > Limit)) {
      KeptBytes -= Kept[Oldest]->MappedBytes;
      Unneeded[NumUnneeded++] = Kept[Oldest++];
    }
    NumKept -= Oldest;
    for (unsigned I = 0; I != NumKept; ++I)
      Kept[I] = Kept[I + Oldest];
    if (KeptBytes + Large->MappedBytes <= Limit) {
      Kept[NumKept++] = Large;
      KeptBytes += Large->MappedBytes;
    } else {
      Unneeded[NumUnneeded++] = Large;
    }
  }
  while (NumUnneeded)
    unmapLarge(Unneeded[--NumUnneeded]);
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
