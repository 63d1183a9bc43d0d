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
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace thermocline::alloc {

inline constexpr uintptr_t Nowhere = UINTPTR_MAX;
/// The range so far: from Base to End. As a rule, ordinary memory lies above
/// it, so objects from End on are ordinary, and End is compared first.
///
/// Before it is known that this allocator serves the process, and where it does
/// not, both are Nowhere, and no object is ordinary. Then End is 0 until the
/// range is there.
struct ColdRange {
  std::atomic<uintptr_t> Base;
  std::atomic<uintptr_t> End;
};
extern ColdRange Range THERMOCLINE_HIDDEN;

/// Whether Pointer is certainly an ordinary object of this allocator. If not,
/// it may be any, and isCold tells.
[[gnu::always_inline]] inline bool isOrdinaryAtOnce(const void *Pointer) {
  // The words are read as plain ones, which processors compare from memory and
  // read whole: compilers load atomic ones into registers first.
  auto *Words = reinterpret_cast<const uintptr_t *>(&Range);
  return reinterpret_cast<uintptr_t>(Pointer) >= Words[1];
}

/// Whether Pointer lies in the cold heap, where isOrdinaryAtOnce has said no.
[[gnu::always_inline]] inline bool isColdBelowEnd(const void *Pointer) {
  auto *Words = reinterpret_cast<const uintptr_t *>(&Range);
  return reinterpret_cast<uintptr_t>(Pointer) >= Words[0];
}
static_assert(sizeof(ColdRange) == 2 * sizeof(uintptr_t));

/// Whether Pointer lies in the cold heap.
inline bool isCold(const void *Pointer) {
  return !isOrdinaryAtOnce(Pointer) && isColdBelowEnd(Pointer);
}

/// \returns the length of the range so far.
inline size_t rangeBytes() {
  uintptr_t End = Range.End.load(std::memory_order_acquire);
  uintptr_t Base = Range.Base.load(std::memory_order_relaxed);
  return End > Base ? End - Base : 0;
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

/// Kernels give programs 39, 42, 47 or 48 bits of addresses, and some more if
/// these ask. Places are chosen by this many of them.
inline constexpr unsigned MostPlaceBits = 47;
/// \returns how many, if a program's first stack begins near \p StackBegin; 0
/// is unknown.
constexpr unsigned placeBits(uintptr_t StackBegin) {
  if (StackBegin == 0 || StackBegin >> 42 != 0)
    return MostPlaceBits;
  return StackBegin >> 39 != 0 ? 42 : 39;
}

/// \returns a place for a range, where nothing else is put. It differs from
/// process to process, as addresses of libraries do.
uintptr_t quietPlace();
/// \returns such a place in a program with \p Bits of addresses, of which those
/// up to \p End are known to be taken, by a number drawn at random. It lies
/// between the program with its heap below and libraries, stacks and ordinary
/// memory above. With fewer bits, all of it lies at the same part of what
/// programs have.
constexpr uintptr_t quietPlaceFor(unsigned Bits, uintptr_t End,
                                  uintptr_t Random) {
  constexpr uintptr_t TiB = uintptr_t(1) << 40;
  const unsigned Fewer = MostPlaceBits - Bits;
  const uintptr_t First = 16 * TiB >> Fewer;
  // What is known to be taken, and then room for what lies in order.
  const uintptr_t Place =
      End == 0 ? First : std::max(First, End + (2 * TiB >> Fewer));
  return Place + Random % (16 * TiB >> Fewer);
}
/// Says that only objects from End on are certainly ordinary: where there is no
/// range and never will be, or before there is one, which then lies above.
void expectOrdinaryAbove(uintptr_t End);

} // namespace thermocline::alloc

/// \returns addresses that were never given out, for reading and writing and
/// all zero; null if there are no more, or no memory for them, or if they would
/// not start at Wanted, which may be null. Alignment is a power of 2. errno
/// stays as it was. InRange.c calls it.
THERMOCLINE_OWN void *
thermocline_alloc_take_cold(void *Wanted, size_t SizeBytes, size_t Alignment);

#endif
