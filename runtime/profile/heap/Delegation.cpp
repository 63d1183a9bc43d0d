//===- profile/heap/Delegation.cpp - What is not recorded -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With sampling: which allocations are recorded, which are shadow-tracked, and
// which are delegated. Memory of the allocator below is reallocated and freed
// here as well: what was delegated, what came from elsewhere, and all of it
// where this copy of the runtime records nothing.
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "measure/Shadow.h"
#include "platform/LibcFunctions.h"
#include "platform/Text.h"
#include "platform/Thread.h"
#include "process/Fatal.h"
#include "process/LoadedObjects.h"

using namespace thermocline::runtime;

/// Tracks an allocation that is not recorded, \p R.
__attribute__((noinline)) void Allocations::trackInShadow(Recording &R,
                                                          Caller Site) {
  // Nobody counts accesses where objects are watched.
  if (Watched && libc().Allocator.IsKnown.load()) {
    R.IsDelegated = true;
    R.Drawn->delegateFromNow();
    return;
  }
  R.Call = TouchedCalls::idOf(Site.ReturnAddress - 1);
  // The allocation that was tracked last may be accessed by now. If it has
  // ended, this was seen then.
  if (R.Drawn->LastTracked) {
    auto *Last = static_cast<Header *>(R.Drawn->LastTracked);
    if (Last->Mark.Sequence.load() == R.Drawn->LastSequence &&
        Last->State.load() != Freed && *shadow::counter(Last->user()))
      Touched->touch(R.Call);
  }
  // It need not be known for sure that nothing is ever accessed.
  constexpr uint16_t MostTracked = 4096;
  if (R.Drawn->NumTracked == MostTracked)
    Touched->touch(R.Call);
  else
    ++R.Drawn->NumTracked;
  if (!Touched->isTouched(R.Call) || !libc().Allocator.IsKnown.load())
    return;
  R.IsDelegated = true;
  R.Drawn->delegateFromNow();
}

Allocations::Recording Allocations::choose(Caller Site, size_t Size) {
  Recording R;
  if (Use.SampleInterval == 1 || Size > AlwaysRecorded)
    return R;
  ThreadCache &Cache = Caches->ofThisThread();
  ThreadState &Thread = thisThread();
  if (Thread.Inside || Caches->isShared(Cache))
    return R;
  // Nobody is told of allocations that take the short ways.
  if (!Thread.Sampled && !Use.HasHooks && libc().Allocator.IsKnown.load())
    Thread.Sampled = &Cache.Sampled;
  if (!Thread.FirstFrame)
    Thread.FirstFrame = reinterpret_cast<uintptr_t>(Site.Frame);
  const uint32_t Interval =
      Watched ? Cache.Sampled.paced(Use.SampleInterval) : Use.SampleInterval;
  R.Weight = Cache.Sampled.next(seenOf(Thread, Site), Interval, R.Drawn);
  if (R.Weight) {
    R.OpensGaps = R.Weight == 1 && StratifiedSampler::opensGaps(*R.Drawn);
    return R;
  }
  R.IsDelegated = !R.Drawn || R.Drawn->isDelegated();
  if (!R.IsDelegated)
    trackInShadow(R, Site);
  return R;
}

void *Allocations::delegate(size_t Size, size_t Alignment, bool *Zeroed) {
  auto &Below = libc().Allocator;
  if (Alignment > alignof(max_align_t))
    return Below.Memalign(Alignment, Size);
  if (!Zeroed)
    return Below.Malloc(Size);
  *Zeroed = true;
  return Below.Calloc(1, Size);
}

void Allocations::addEarlierPlaceholders() {
  if (Use.SampleInterval == 1 || !libc().Allocator.IsKnown.load())
    return;
  size_t Left = AlwaysRecorded;
  visitLive([&](const LiveAllocation &A) {
    if (A.Life.SizeBytes > Left)
      return;
    Left -= A.Life.SizeBytes;
    libc().Allocator.Malloc(A.Life.SizeBytes);
  });
}

/// Allocates a placeholder block. Null if none is needed: only allocations that
/// were drawn could have been delegated. One that the allocator below could
/// have offered has one as if it had, or its hint functions would not find that
/// what they call ends there (reaches(), Role.h). If there is no memory left,
/// the program finds out later.
void *Allocations::placeholderFor(size_t Size, size_t Alignment,
                                  const Recording &R) {
  if (R.Own)
    return R.Own;
  const auto &Below = libc().Allocator;
  const bool IsOffered = Below.Joined && Size <= AlwaysRecorded;
  if (!(R.Drawn || IsOffered) || !Below.IsKnown.load())
    return nullptr;
  return delegate(Size, Alignment, nullptr);
}

//===-- What the allocator below has made ---------------------------------===//

void *Allocations::offer(void *Own, size_t Size, size_t Alignment,
                         Caller Site) {
  if (thisThread().Inside || Use.SampleInterval == DelegateAll)
    return Own;
  Recording R = choose(Site, Size);
  if (R.Weight == 0)
    return Own;
  R.Own = Own;
  void *Result = allocateChosen(Size, Alignment, Site, R, nullptr);
  return Result ? Result : Own;
}

/// The allocator below knows which of its heaps an object is to be of. So it
/// resizes its own, or makes another in place of the placeholder, and offers
/// that.
void *Allocations::reallocateOffered(void *Address, size_t Size, Caller Site,
                                     const char *Function) {
  const bool IsBelow = !Heap::isInRange(reinterpret_cast<uintptr_t>(Address));
  void *Placeholder = IsBelow ? Address : placeholderOf(Address);
  if (!Placeholder || Size > AlwaysRecorded)
    return reallocateHere(Address, Size, Site, Function);
  auto &Below = libc().Allocator;
  const size_t OldSize = IsBelow ? Size : sizeOf(Address);
  void *Own = IsBelow ? Below.Realloc(Address, Size)
                      : Below.Joined->MallocBeside(Placeholder, Size);
  if (!Own)
    return nullptr;
  const void *Contents = IsBelow ? Own : Address;
  void *New = offer(Own, Size, /*Alignment=*/1, Site);
  if (New != Contents)
    libc().Memcpy(New, Contents, OldSize < Size ? OldSize : Size);
  if (!IsBelow)
    release(Address, Function);
  return New;
}

//===-- Memory of the allocator below -------------------------------------===//

/// Ends the program with a message.
[[noreturn]] static void refuse(const char *Function, const char *Why) {
  FixedString Text;
  Text << Function << "(): " << Why;
  sys::fatalMisuse(Text.text());
}

/// \p Address is not that of a block of ours that lives, as \p State says.
/// Returns if the allocator below may have it: then it is not ours, nor in the
/// program or a library.
void Allocations::refuseUnlessBelow(const void *Address, uint32_t State,
                                    const char *Function) {
  if (State == Freed)
    refuse(Function, "the allocation was freed before");
  auto Number = reinterpret_cast<uintptr_t>(Address);
  if (Heap::isInRange(Number) || !libc().Allocator.IsKnown.load() ||
      LoadedObjects::isLoaded(Number))
    refuse(Function, "not an address from malloc");
}

void *Allocations::allocateElsewhere(size_t Size, size_t Alignment, Caller Site,
                                     bool *Zeroed) {
  return Over ? Over->Allocate(Size, Alignment, Site, Zeroed)
              : delegate(Size, Alignment, Zeroed);
}

void Allocations::releaseDelegated(void *Address, const char *Function) const {
  if (Over)
    return Over->Release(Address, Function);
  if (!delegatesAll())
    refuseUnlessBelow(Address, Fresh, Function);
  libc().Allocator.Free(Address);
}

/// realloc() for memory of the allocator below, which checks whether it is its
/// own.
void *Allocations::adopt(void *Address, size_t Size, Caller Site) {
  auto &Below = libc().Allocator;
  void *Old = Below.Realloc(Address, Size);
  void *New = Old ? allocate(Size, 1, Site) : nullptr;
  if (!New)
    return Old;
  libc().Memcpy(New, Old, Size);
  Below.Free(Old);
  return New;
}

void *Allocations::reallocateDelegated(void *Address, size_t Size, Caller Site,
                                       const char *Function) {
  if (Over)
    return Over->Reallocate(Address, Size, Site, Function);
  auto &Below = libc().Allocator;
  if (delegatesAll())
    return Below.Realloc(Address, Size);
  refuseUnlessBelow(Address, Fresh, Function);
  Recording R = choose(Site, Size);
  if (R.IsDelegated)
    return Below.Realloc(Address, Size);
  return moveTo(allocateChosen(Size, MinAlignment, Site, R, nullptr), Size,
                Address, Function);
}

void Allocations::endTracking(CallId Call, uintptr_t User, size_t Size) {
  if (!Touched->isTouched(Call) && shadow::count(User, Size, Use.CountLikeLlvm))
    Touched->touch(Call);
}
