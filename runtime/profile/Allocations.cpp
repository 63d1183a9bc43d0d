//===- profile/Allocations.cpp - Profiled allocations ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "LibcFunctions.h"
#include "Shadow.h"
#include "System.h"
#include "Thread.h"

using namespace thermocline::runtime;

void Allocations::initialize(Heap *H, Contexts *C, ThreadCaches *T) {
  TheHeap = H;
  TheContexts = C;
  Caches = T;
  Finder.initialize(C);
  Start = thisThread().Clock.milliseconds();
}

Allocations::Header *Allocations::headerOf(const void *Address) {
  auto User = reinterpret_cast<uintptr_t>(Address);
  auto *Near = reinterpret_cast<Header *>(User - sizeof(Header));
  if (Near->State.load() == Forward)
    return reinterpret_cast<Header *>(User - Near->Offset * MinAlignment);
  return Near;
}

ContextId Allocations::contextOf(Caller From) {
  if (thisThread().Inside)
    return ContextId::None;
  return Finder.find(From, Caches->ofThisThread().Guesses);
}

void Allocations::begin(Header *Block, uintptr_t User, size_t Size,
                        ContextId Context) {
  // Only this thread writes, so that no other can come between.
  uint32_t Sequence = Block->Sequence.loadRelaxed();
  Block->Sequence.storeRelaxed(Sequence + 1);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  Block->Size = Size;
  Block->Context = Context;
  Block->AllocatedAt = now();
  Block->Cpu = currentCpu();
  uintptr_t Offset = User - reinterpret_cast<uintptr_t>(Block);
  Block->Offset = static_cast<uint32_t>(Offset / MinAlignment);
  if (Offset != sizeof(Header)) {
    auto *Near = reinterpret_cast<Header *>(User - sizeof(Header));
    Near->Offset = Block->Offset;
    Near->State.store(Forward);
  }
  shadow::clear(User, Size, Use.CountLikeLlvm);
  Block->State.store(Allocated);
  Block->Sequence.store(Sequence + 2);
}

void *Allocations::allocate(size_t Size, size_t Alignment, Caller From,
                            bool *Zeroed) {
  if (Size == 0)
    Size = 1;
  if (Alignment < MinAlignment)
    Alignment = MinAlignment;
  // Sizes beyond half the address space are nonsense, and so not added up.
  constexpr size_t Nonsense = size_t(PTRDIFF_MAX) / 4;
  constexpr size_t MaxOffset = size_t(UINT32_MAX) * MinAlignment;
  if (Size > Nonsense || Alignment > Nonsense || Alignment >= MaxOffset)
    return nullptr;
  size_t Needed = roundUp(Size, Alignment) + sizeof(Header);
  if (Alignment > MinAlignment)
    Needed += Alignment;
  ContextId Context = contextOf(From);
  ThreadCache &Cache = Caches->enter();
  Heap::Block Block = TheHeap->allocate(Needed, Cache.Blocks);
  Cache.Mutex.leave();
  if (!Block.Begin)
    return nullptr;
  uintptr_t User = roundUp(
      reinterpret_cast<uintptr_t>(Block.Begin) + sizeof(Header), Alignment);
  if (Zeroed)
    *Zeroed = Block.Zeroed;
  begin(static_cast<Header *>(Block.Begin), User, Size, Context);
  return reinterpret_cast<void *>(User);
}

MemInfoBlock Allocations::measure(const Header &Block, uintptr_t User) const {
  Lifetime Life;
  Life.SizeBytes = Block.Size;
  Life.Accesses = shadow::count(User, Block.Size, Use.CountLikeLlvm);
  Life.AllocatedAt = Block.AllocatedAt;
  // The clocks of two threads may differ by a millisecond.
  uint32_t Now = now();
  Life.FreedAt = Now < Block.AllocatedAt ? Block.AllocatedAt : Now;
  Life.AllocatedOnCpu = Block.Cpu;
  Life.FreedOnCpu = currentCpu();
  return measuresOf(Life);
}

/// Takes the allocation out of the walk. \returns whether it is to be recorded,
/// with these \p Measures. With a histogram it is, here.
bool Allocations::finish(Header *Block, MemInfoBlock &Measures) {
  // Two threads that free the same allocation at the same time are not told
  // apart; that one was freed before, is.
  uint32_t State = Block->State.load();
  if (__builtin_expect(State != Allocated, false))
    sys::fatal(State == Freed ? "free(): the allocation was freed before"
                              : "free(): not an address from malloc");
  Block->State.store(Freed);
  if (Block->Context == ContextId::None)
    return false;
  uintptr_t User = reinterpret_cast<uintptr_t>(Block) +
                   uintptr_t(Block->Offset) * MinAlignment;
  Measures = measure(*Block, User);
  ByteCounters Counters = shadow::histogram(User, Block->Size);
  if (__builtin_expect(Counters.Size == 0, true))
    return true;
  TheContexts->add(Block->Context, Measures, Counters);
  return false;
}

void Allocations::release(void *Address) {
  if (!Address)
    return;
  if (reinterpret_cast<uintptr_t>(Address) % MinAlignment)
    sys::fatal("free(): not an address from malloc");
  Header *Block = headerOf(Address);
  bool IsForwarded = reinterpret_cast<uintptr_t>(Block) + sizeof(Header) !=
                     reinterpret_cast<uintptr_t>(Address);
  MemInfoBlock Measures;
  bool IsRecorded = finish(Block, Measures);
  if (IsForwarded)
    (reinterpret_cast<Header *>(Address) - 1)->State.store(Freed);
  ThreadCache &Cache = Caches->enter();
  if (IsRecorded)
    Cache.Measures.add(*TheContexts, Block->Context, Measures);
  TheHeap->release(Block, Cache.Blocks);
  Cache.Mutex.leave();
}

void *Allocations::reallocate(void *Address, size_t Size, Caller From) {
  if (Size == 0)
    Size = 1;
  Header *Block = headerOf(Address);
  auto User = reinterpret_cast<uintptr_t>(Address);
  uintptr_t BlockBegin;
  size_t BlockBytes;
  // Stay if a new block would have the same size; it may even be this one.
  if (Block->Offset * MinAlignment == sizeof(Header) &&
      Size <= sizeclass::Max - sizeof(Header) &&
      TheHeap->findSmall(User, BlockBegin, BlockBytes) &&
      sizeclass::blockBytes(sizeclass::classOf(roundUp(Size, MinAlignment) +
                                               sizeof(Header))) == BlockBytes) {
    ContextId New = contextOf(From);
    MemInfoBlock Measures;
    if (finish(Block, Measures)) {
      ThreadCache &Cache = Caches->enter();
      Cache.Measures.add(*TheContexts, Block->Context, Measures);
      Cache.Mutex.leave();
    }
    begin(Block, User, Size, New);
    return Address;
  }
  void *New = allocate(Size, MinAlignment, From);
  if (!New)
    return nullptr;
  size_t Old = Block->Size;
  libc().Memcpy(New, Address, Old < Size ? Old : Size);
  release(Address);
  return New;
}

size_t Allocations::sizeOf(const void *Address) const {
  const Header *Block = headerOf(Address);
  return Block->State.load() == Allocated ? Block->Size : 0;
}

bool Allocations::read(void *Address, uint32_t Now,
                       LiveAllocation &Result) const {
  auto *Block = static_cast<Header *>(Address);
  for (int Try = 0; Try != 2; ++Try) {
    uint32_t Sequence = Block->Sequence.load();
    if (Block->State.load() != Allocated)
      return false;
    if (Sequence % 2)
      continue;
    Result.Context = Block->Context;
    Result.Life.SizeBytes = Block->Size;
    Result.Life.AllocatedAt = Block->AllocatedAt;
    Result.Life.AllocatedOnCpu = Result.Life.FreedOnCpu = Block->Cpu;
    // A thread that allocates while the walk is on may be ahead of Now.
    Result.Life.FreedAt = Now < Block->AllocatedAt ? Block->AllocatedAt : Now;
    uintptr_t User = reinterpret_cast<uintptr_t>(Block) +
                     uintptr_t(Block->Offset) * MinAlignment;
    if (Block->Sequence.load() != Sequence || Block->State.load() != Allocated)
      continue;
    if (Result.Context == ContextId::None)
      return false;
    Result.Life.Accesses =
        shadow::count(User, Result.Life.SizeBytes, Use.CountLikeLlvm);
    Result.Counters = shadow::histogram(User, Result.Life.SizeBytes);
    return true;
  }
  return false;
}
