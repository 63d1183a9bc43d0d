//===- alloc/heap/ColdRange.h - The addresses of the cold heap --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One range of addresses, without access rights until they are used, from which
// the cold heap cuts its memory in rising order.
//
// Problem: the range must be one piece, or free() could not tell cold objects
// by a comparison; but a process may have a limit on its addresses, and set one
// when it likes, and what is reserved counts. So the range starts small, in a
// place where nothing else is put, and is made longer at its end when it is
// full: to twice its size, but under a limit by no more than a quarter of what
// the limit leaves. Nothing here waits for another thread, so there is no lock
// to be held over a fork.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_COLDRANGE_H
#define THERMOCLINE_ALLOC_COLDRANGE_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The range so far; SizeBytes is 0 until the heap can be used.
struct ColdRange {
  std::atomic<uintptr_t> Base;
  std::atomic<size_t> SizeBytes;
};
extern ColdRange Range;

/// Whether Pointer lies in the cold heap.
inline bool isCold(const void *Pointer) {
  size_t SizeBytes = Range.SizeBytes.load(std::memory_order_relaxed);
  uintptr_t Base = Range.Base.load(std::memory_order_relaxed);
  return reinterpret_cast<uintptr_t>(Pointer) - Base < SizeBytes;
}

inline constexpr size_t Unlimited = SIZE_MAX;
/// The bytes of addresses that the process may have; Unlimited without a limit.
size_t addressSpaceLimit();

/// Sets aside the first addresses. Called once. False if there are none, or if
/// the user wants no cold heap.
bool reserveRange();
/// Addresses that were never given out, for reading and writing and all zero;
/// null if there are no more, or no memory for them, or if they would not start
/// at Wanted, which may be null. Alignment is a power of 2.
void *takeAddresses(void *Wanted, size_t SizeBytes, size_t Alignment);
/// Bytes that were ever given out.
size_t takenBytes();

} // namespace thermocline::alloc

#endif
