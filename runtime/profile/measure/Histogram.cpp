//===- profile/measure/Histogram.cpp - Accesses by offset -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Histogram.h"
#include "arch/AddressSpace.h"
#include "platform/Lock.h"
#include "platform/System.h"

using namespace thermocline::runtime;

/// Bytes of reserved addresses. A histogram is as long as the largest
/// allocation of its context.
static size_t reservedBytes() { return arch::Plan.tableBytes(size_t(1) << 40); }

void Histograms::release() {
  Guard G(Mutex);
  if (Begin)
    sys::unmapPages(reinterpret_cast<void *>(Begin), reservedBytes());
  Begin = Used = 0;
}

/// \returns null if there is no room; zeros otherwise.
uint64_t *Histograms::take(size_t Bytes) {
  Guard G(Mutex);
  if (!Begin) {
    void *Range = sys::mapPages(reservedBytes());
    if (!Range)
      return nullptr;
    sys::markSparse(Range, reservedBytes());
    Begin = reinterpret_cast<uintptr_t>(Range);
  }
  if (Bytes > (Limit ? Limit : reservedBytes()) - Used)
    return nullptr;
  auto *Result = reinterpret_cast<uint64_t *>(Begin + Used);
  Used += Bytes;
  return Result;
}

/// Sets \p Count counters to zero, and gives back the pages that they fill.
static void zero(uint64_t *Counters, size_t Count) {
  auto Begin = reinterpret_cast<uintptr_t>(Counters);
  uintptr_t End = Begin + Count * sizeof(uint64_t);
  uintptr_t FirstPage = roundUp(Begin, pageBytes());
  uintptr_t LastPage = roundDown(End, pageBytes());
  if (FirstPage >= LastPage) {
    FirstPage = LastPage = End;
  } else {
    sys::discardPages(reinterpret_cast<void *>(FirstPage),
                      LastPage - FirstPage);
  }
  for (; Begin != FirstPage; Begin += sizeof(uint64_t))
    *reinterpret_cast<uint64_t *>(Begin) = 0;
  for (; LastPage != End; LastPage += sizeof(uint64_t))
    *reinterpret_cast<uint64_t *>(LastPage) = 0;
}

uint32_t Histograms::grow(Histogram &H, uint32_t Size) {
  if (Size > H.Capacity) {
    // Twice as many as before, so that few are copied often.
    uint64_t Capacity = 4;
    while (Capacity < Size)
      Capacity *= 2;
    if (Capacity > UINT32_MAX)
      Capacity = UINT32_MAX;
    uint64_t *New = take(Capacity * sizeof(uint64_t));
    if (!New) {
      Incomplete.store(true);
      Size = H.Capacity;
    } else {
      for (uint32_t I = 0; I != H.Size; ++I)
        if (uint64_t Count = H.Counters[I])
          New[I] = Count;
      uint64_t *Old = H.Counters;
      H.Counters = New;
      // The handler of a fatal signal may read it at any time.
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
      H.Capacity = static_cast<uint32_t>(Capacity);
      zero(Old, H.Size);
    }
  }
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (Size > H.Size)
    H.Size = Size;
  return Size;
}

void Histograms::add(Histogram &Sum, ByteCounters Counters) {
  uint32_t Size = grow(Sum, Counters.Size);
  constexpr uint32_t Word = sizeof(uint64_t);
  for (uint32_t I = 0; I != Size;) {
    // Most of a large allocation may never have been accessed.
    if (Size - I >= Word) {
      uint64_t Eight;
      __builtin_memcpy(&Eight, Counters.First + I, Word);
      if (!Eight) {
        I += Word;
        continue;
      }
    }
    if (uint8_t Count = Counters.First[I])
      Sum.Counters[I] += Count;
    ++I;
  }
}

void Histograms::add(Histogram &Sum, const Histogram &Added) {
  uint32_t Size = grow(Sum, Added.Size);
  for (uint32_t I = 0; I != Size; ++I)
    if (uint64_t Count = Added.Counters[I])
      Sum.Counters[I] += Count;
}

void Histograms::clear(Histogram &H) {
  zero(H.Counters, H.Size);
  H.Size = 0;
}
