//===- alloc/heap/ColdHeap.h - The heap of cold objects ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A jemalloc of its own, whose memory comes from one reserved range of
// addresses.
//
// Problem: free() gets a pointer without a hint. If cold objects went through
// the caches of the jemalloc that has the ordinary ones, a later plain malloc
// would take them from there, and hot and cold objects would share pages; and
// without caches each call takes the lock of an arena. So there are two
// jemallocs, which share nothing: the second has arenas, caches for threads,
// decay, and care for forks and threads that end, as the first has. Invariant:
// an address is in the range if and only if it is the second's, but for its
// books; whoever frees or resizes asks isCold(). Cost: a comparison in each
// free of an ordinary object, and two in that of a cold one.
//
// There are no locks of ours here, so there is nothing to annotate for
// -Wthread-safety: what threads share are atomics, and whoever comes while
// another makes the heap gets ordinary memory. jemalloc has locks, and takes
// them itself around a fork; the one never calls the other with a lock held.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_COLDHEAP_H
#define THERMOCLINE_ALLOC_COLDHEAP_H

#include "ColdRange.h"
#include "ColdThread.h"
#include "Jemalloc.h"
#include "OwnNames.h"
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// Whether there is a cold heap, and this allocator serves the process. Makes
/// the heap, unless another thread is making it.
bool hasColdHeap();
/// Whether there is one, or will never be one.
bool isColdHeapDecided();

/// \returns myRecord(), which it makes if need be. The result is null where
/// nothing of the thread can be cold now, or only without a record.
ThreadRecord *prepareThread();

/// \returns a new cold object, or null if the heap is full or could not be
/// made. errno is left alone. Alignment is 0 or a power of two.
void *allocateCold(size_t SizeBytes, size_t Alignment, bool Zeroed);
/// Undoes the count of allocateColdAtOnce.
void takeBackCount(Kind Called, size_t SizeBytes);
/// \returns a new cold object and counts it, if the thread has a record and
/// there is room; else returns null and counts nothing.
inline void *allocateColdAtOnce(Kind Called, size_t SizeBytes,
                                ThreadRecord *Mine = RecordOrNone) {
  if (__builtin_expect(Mine == &NoRecord, false))
    return nullptr;
  // Counted before, so that nothing but the size need be kept over the call.
  Mine->countCold(Called, SizeBytes);
  void *Cold = thermocline_cold_je_malloc(SizeBytes);
  if (__builtin_expect(Cold == nullptr, false))
    takeBackCount(Called, SizeBytes);
  return Cold;
}
/// Resizes a cold object, which stays cold. \returns null, with the object
/// untouched, if there is no room. SizeBytes is not 0.
void *resizeCold(void *Pointer, size_t SizeBytes);

/// What free and operator delete do.
[[gnu::always_inline]] inline void release(void *Pointer) {
  if (__builtin_expect(isOrdinaryAtOnce(Pointer), true))
    return je_free(Pointer);
  if (__builtin_expect(isColdBelowEnd(Pointer), true))
    return thermocline_cold_je_free(Pointer);
  thermocline_alloc_free_elsewhere(Pointer);
}

/// Sizes in bytes, as in thermocline/alloc.h.
struct ColdHeapSizes {
  uint64_t Live;
  uint64_t Mapped;
  uint64_t Reserved;
};
ColdHeapSizes coldHeapSizes();

} // namespace thermocline::alloc

#endif
