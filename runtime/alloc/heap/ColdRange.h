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

#include "Export.h"
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

/// The range so far. Before it is known that this allocator serves the process,
/// and where it does not, everything; then nothing until the heap can be used.
inline constexpr size_t Everything = SIZE_MAX;
struct ColdRange {
  std::atomic<uintptr_t> Base;
  std::atomic<size_t> SizeBytes;
};
extern ColdRange Range THERMOCLINE_HIDDEN;

/// The heap that an object belongs to. It is Unknown where another allocator
/// may serve the process.
enum class Heap { Ordinary, Cold, Unknown };

/// Each free asks this. It takes a comparison for ordinary objects, and two for
/// cold ones.
[[gnu::always_inline]] inline Heap heapOf(const void *Pointer) {
  // They are read as plain words, which processors compare from memory and read
  // whole: compilers load atomic ones into registers first.
  auto *Words = reinterpret_cast<const uintptr_t *>(&Range);
  uintptr_t SizeBytes = Words[1];
  if (__builtin_expect(
          reinterpret_cast<uintptr_t>(Pointer) - Words[0] >= SizeBytes, true))
    return Heap::Ordinary;
  return __builtin_expect(SizeBytes != Everything, true) ? Heap::Cold
                                                         : Heap::Unknown;
}
static_assert(sizeof(ColdRange) == 2 * sizeof(uintptr_t));

/// Whether Pointer lies in the cold heap.
inline bool isCold(const void *Pointer) {
  return heapOf(Pointer) == Heap::Cold;
}

inline constexpr size_t Unlimited = SIZE_MAX;
/// \returns how many bytes of addresses the process may have; Unlimited if
/// there is no limit.
size_t addressSpaceLimit();

/// Sets aside the first addresses. It is called once. \returns false if there
/// are none, or if the user wants no cold heap.
bool reserveRange();
/// \returns how many bytes were ever given out.
size_t takenBytes();

} // namespace thermocline::alloc

/// \returns addresses that were never given out, for reading and writing and
/// all zero; null if there are no more, or no memory for them, or if they would
/// not start at Wanted, which may be null. Alignment is a power of 2. errno
/// stays as it was. JemallocInRange.c calls it.
THERMOCLINE_OWN void *
thermocline_alloc_take_cold(void *Wanted, size_t SizeBytes, size_t Alignment);

#endif
