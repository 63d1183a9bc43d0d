//===- alloc/order/OrderRange.h - Addresses of chunks -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One range of addresses for all segments. It lies below the cold range, so
// that free(), which compares with the end of that one first, asks for no more
// where an object lies above both; and it is made longer at its end by little
// each time, so that a process that may have few addresses loses few.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ORDER_ORDERRANGE_H
#define THERMOCLINE_ALLOC_ORDER_ORDERRANGE_H

#include "Chunk.h"
#include "heap/Export.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The range so far. Both are 0 where nothing lies in order.
struct OrderRange {
  std::atomic<uintptr_t> Base;
  std::atomic<size_t> SizeBytes;
};
extern OrderRange Ordered THERMOCLINE_HIDDEN;

/// Whether Pointer is a small object that lies in order.
inline bool isInOrder(const void *Pointer) {
  return reinterpret_cast<uintptr_t>(Pointer) -
             Ordered.Base.load(std::memory_order_relaxed) <
         Ordered.SizeBytes.load(std::memory_order_relaxed);
}

/// Finds a place for the range. It is called once, when it is known whether
/// there is a cold range. \returns false if there is no place.
bool placeOrderRange();
/// Chunks that follow each other, whose books are all zero.
struct FreshChunks {
  Chunk *First;
  size_t Count;
};
/// Takes addresses for some more chunks. One thread at a time calls it.
/// \returns none if there are no addresses. errno stays as it was.
FreshChunks growOrderRange();

} // namespace thermocline::alloc

#endif
