//===- alloc/heap/ColdHeap.h - The heap of cold objects ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A jemalloc arena whose pages come from one reserved range of addresses.
//
// Problem: free() gets a pointer without a hint. If a cold object went through
// the thread cache, a later plain malloc would take it from there, and hot and
// cold objects would share pages. Invariant: an address is in the range if and
// only if its page holds cold objects; whoever frees or resizes asks
// isCold(), and then leaves thread caches out. Cost: two loads and a comparison
// in each free.
//
// The allocator has no locks of its own, so there is nothing to annotate for
// -Wthread-safety: what its threads share are atomics, and whoever comes while
// another makes the heap gets ordinary memory. jemalloc has locks, and takes
// them itself around a fork.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_COLDHEAP_H
#define THERMOCLINE_ALLOC_COLDHEAP_H

#include "ColdRange.h"
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// Makes the heap, unless another thread is making it.
void makeColdHeap();

/// A new cold object, or null if the heap is full or could not be made; errno
/// is left alone. Alignment is 0 or a power of two.
void *allocateCold(size_t SizeBytes, size_t Alignment, bool Zeroed);
/// Frees a cold object.
void freeCold(void *Pointer);
/// Resizes a cold object, which stays cold. Null, with the object untouched, if
/// there is no room. SizeBytes is not 0.
void *resizeCold(void *Pointer, size_t SizeBytes);

/// Sizes in bytes, as in thermocline/alloc.h.
struct ColdHeapSizes {
  uint64_t Live;
  uint64_t Mapped;
  uint64_t Reserved;
};
ColdHeapSizes coldHeapSizes();

} // namespace thermocline::alloc

#endif
