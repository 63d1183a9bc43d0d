//===- alloc/order/OrderHeap.h - Small objects in order ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A policy of the ordinary heap, for programs whose objects are used in the
// order in which they were made: small objects lie one behind the other in that
// order, whatever their sizes, instead of by size classes. What jemalloc has
// for objects of this size then stays empty, and serves larger ones.
//
// The setting `order` turns it on (docs/allocator.md). Then malloc comes here
// on the long path, where jemalloc's caches have nothing (ShortPath.c), and
// free where an address lies below the cold range. So without it neither has an
// instruction more.
//
// Invariant: an address is in Ordered if and only if it is an object of this
// heap, and its pages hold no others. Where it has no memory, jemalloc serves.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_ORDERHEAP_H
#define THERMOCLINE_ALLOC_ORDER_ORDERHEAP_H

#include "OrderRange.h"
#include "OrderThread.h"
#include "heap/Export.h"
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// What allocateInOrder does for a thread that has nothing at once.
void *allocateInOrderSlowly(size_t Granules);

/// \returns a new object aligned to 16 bytes, or null if there is no memory, or
/// the object must not lie here. SizeBytes is at most MostObjectBytes. errno
/// stays as it was, as it does below.
inline void *allocateInOrder(size_t SizeBytes) {
  const size_t Granules = granulesFor(SizeBytes);
  if (void *Object = OrderThreadOrNone->allocateAtOnce(Granules))
    return Object;
  return allocateInOrderSlowly(Granules);
}

/// \returns the bytes that the object may use.
inline size_t bytesInOrder(const void *Object) {
  return Chunk::of(Object)->objectGranules(Chunk::granuleOf(Object)) *
         GranuleBytes;
}

inline void releaseInOrder(void *Object) {
  const size_t Granules =
      Chunk::of(Object)->objectGranules(Chunk::granuleOf(Object));
  if (!OrderThreadOrNone->releaseAtOnce(Object, Granules))
    OrderThreadOrNone->releaseSlowly(Object, Granules);
}

/// \returns whether the object has the size now, or may have it, and is where
/// it was.
bool resizeInOrderInPlace(void *Object, size_t SizeBytes);

/// Gives back what is empty, and what the calling thread's lists have.
void trimOrder();

/// Sizes in bytes.
struct OrderHeapSizes {
  uint64_t Live;     ///< Objects not yet freed, rounded up to granules.
  uint64_t Active;   ///< Chunks that hold some.
  uint64_t Mapped;   ///< Chunks that have memory.
  uint64_t Reserved; ///< Addresses.
};
/// All are 0 if small objects do not lie in order.
OrderHeapSizes orderHeapSizes();

} // namespace thermocline::alloc

/// Empties the calling thread's lists; jemalloc/OtherHeap.c calls it.
THERMOCLINE_OWN void thermocline_alloc_flush_order();

#endif
