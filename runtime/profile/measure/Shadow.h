//===- profile/measure/Shadow.h - Access counters ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One 8-byte counter for each 64 bytes of memory (a granule), at
// ((address & ~63) >> 3) + base: an eighth of the address space, reserved and
// committed where touched. Instrumented code finds the base in
// __memprof_shadow_memory_dynamic_address.
//
// Invariant: no granule holds bytes of two allocations, as allocations are
// 32-byte aligned and have a 32-byte header in front. So the counters that
// overlap an allocation are its own: they are cleared when it begins and summed
// when it ends.
//
// LLVM's runtime differs in two ways. It also sums the granule after an
// allocation that ends at a multiple of 64, which may be the neighbour's. And
// of the last granule it clears only the counter's low byte, and nothing of an
// allocation below 8 bytes, so that counts of former occupants stay. The option
// count_like_llvm does the same.
//
// In a program compiled for histograms, a counter is one byte for each 8 bytes
// of memory, at (address >> 3) + base, and stays at 255.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_SHADOW_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_SHADOW_H

#include "Histogram.h"
#include "arch/AddressSpace.h"
#include "thermocline/Format/Counters.h"

/// The variable in which instrumented code finds the base. A program has a copy
/// of its own if it does not look the address up (a copy relocation).
extern "C" __attribute__((
    visibility("default"))) uintptr_t __memprof_shadow_memory_dynamic_address;
/// The base once more, in a variable that nothing else can take the place of.
extern "C"
    __attribute__((visibility("hidden"))) uintptr_t thermocline_shadow_base;

namespace thermocline::runtime::shadow {

using format::GranuleBytes;
constexpr unsigned Scale = format::ShadowScale;

/// Whether the functions below count only where code for sampling does
/// (Format/AddressLayout.h). Set once at the start, if all recorded
/// allocations are at addresses where it counts.
extern bool SkipsUncounted;

/// Whether the program was compiled for histograms. Set once at the start.
extern bool IsHistogram;

/// Whether there are counters.
inline bool isInitialized() { return thermocline_shadow_base != 0; }

/// Reserves the counters. \returns false if there is no room for them.
bool initialize();

/// Sets the base of the counters; from now on accesses are counted there.
void setBase(uintptr_t Base, bool Histogram);

inline uint64_t *counter(uintptr_t Address) {
  return reinterpret_cast<uint64_t *>(
      (roundDown(Address & arch::Layout.PlaceMask, GranuleBytes) >> Scale) +
      thermocline_shadow_base);
}

inline uint8_t *byteCounter(uintptr_t Address) {
  return reinterpret_cast<uint8_t *>(
      ((Address & arch::Layout.PlaceMask) >> Scale) + thermocline_shadow_base);
}

/// Whether nothing at \p Address can be of a recorded allocation.
inline bool isUncounted(uintptr_t Address) {
  return arch::Layout.mayBeUncounted(Address) && SkipsUncounted;
}

/// Counts one access at \p Address.
inline void recordAccess(uintptr_t Address) {
  if (!isUncounted(Address))
    ++*counter(Address);
}

/// Counts one access in a program compiled for histograms.
inline void recordInByte(uintptr_t Address) {
  if (uint8_t *Counter = byteCounter(Address);
      *Counter != format::HistogramMaxCount)
    ++*Counter;
}

void recordRangeSlowly(uintptr_t Address, size_t Size);

/// Counts an access to the range as LLVM's runtime does: one for each 8 bytes.
inline void recordRange(uintptr_t Address, size_t Size) {
  if (isUncounted(Address))
    return;
  // Most are short.
  if (__builtin_expect(Size - 1 < GranuleBytes - Address % GranuleBytes &&
                           !IsHistogram,
                       true))
    *counter(Address) += (Size + 7) / 8;
  else
    recordRangeSlowly(Address, Size);
}

/// Allocations up to this size have their counters cleared or summed without a
/// call.
constexpr size_t FewBytes = 16 * GranuleBytes;

void clearSlowly(uintptr_t Address, size_t Size, bool LikeLlvm);
uint64_t countSlowly(uintptr_t Address, size_t Size, bool LikeLlvm);

inline bool isSimple(size_t Size, bool LikeLlvm) {
  return __builtin_expect(!LikeLlvm && Size <= FewBytes && !IsHistogram, true);
}

/// The size of memory whose counters fill one page.
inline size_t pageOfCountersBytes() { return pageBytes() << Scale; }

/// Gives back the memory of the counters of whole pages at \p Address, \p Size
/// bytes: that in which there are no others, or all if \p IsAlone, because up
/// to a multiple of pageOfCountersBytes() there are none.
void discard(uintptr_t Address, size_t Size, bool IsAlone);

/// Sets the counters of the allocation at \p Address, of \p Size >= 1 bytes,
/// to zero.
inline void clear(uintptr_t Address, size_t Size, bool LikeLlvm) {
  if (!isSimple(Size, LikeLlvm)) {
    clearSlowly(Address, Size, LikeLlvm);
    return;
  }
  uint64_t *Last = counter(Address + Size - 1);
  for (uint64_t *C = counter(Address); C <= Last; ++C)
    *C = 0;
}

/// Accesses to the allocation at \p Address of \p Size >= 1 bytes.
inline uint64_t count(uintptr_t Address, size_t Size, bool LikeLlvm) {
  if (!isSimple(Size, LikeLlvm))
    return countSlowly(Address, Size, LikeLlvm);
  const uint64_t *Last = counter(Address + Size - 1);
  uint64_t Sum = 0;
  for (const uint64_t *C = counter(Address); C <= Last; ++C)
    Sum += *C;
  return Sum;
}

/// The counters of the allocation, in a program compiled for histograms; none
/// otherwise.
inline ByteCounters histogram(uintptr_t Address, size_t Size) {
  if (__builtin_expect(!IsHistogram, true))
    return {};
  size_t Counters = (Size - 1) / format::HistogramGranuleBytes + 1;
  return {byteCounter(Address),
          static_cast<uint32_t>(Counters > UINT32_MAX ? UINT32_MAX : Counters)};
}

} // namespace thermocline::runtime::shadow

#endif
