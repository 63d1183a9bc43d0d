//===- profile/measure/Histogram.h - Accesses by offset ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a program compiled for histograms, each context has a histogram besides
// its measures: how often the first 8 bytes of its allocations were accessed,
// the second 8, and so on. An allocation's own counters are bytes (Shadow.h).
// The histogram of a context is their sum, and as long as that of the largest
// allocation.
//
// Histograms live in a reserved address range that only grows. What is never
// accessed is never written here either, so that the histogram of a large and
// mostly untouched allocation takes little memory.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_HISTOGRAM_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_HISTOGRAM_H

#include "platform/Base.h"
#include "platform/Lock.h"

namespace thermocline::runtime {

/// All zeros is empty.
struct Histogram {
  /// Counters of 8 bytes of memory each. From Size to Capacity they are 0.
  uint64_t *Counters = nullptr;
  uint32_t Size = 0;
  uint32_t Capacity = 0;
};

/// An allocation's counters, each of 8 bytes; they may change meanwhile.
struct ByteCounters {
  const uint8_t *First = nullptr;
  uint32_t Size = 0;
};

/// The memory of histograms. Several threads may use it at once, each with
/// histograms that no other uses at that time.
class Histograms {
public:
  /// Lowers the room for histograms, in tests.
  void limit(size_t Bytes) { Limit = Bytes; }

  /// Gives all memory back; the histograms are gone.
  void release();

  /// Adds counter by counter; \p Sum becomes as long as what is added.
  void add(Histogram &Sum, ByteCounters Counters);
  void add(Histogram &Sum, const Histogram &Added);
  static void clear(Histogram &H);

  /// Whether there was room for all; the rest is missing.
  bool isComplete() const { return !Incomplete.load(); }

private:
  /// Makes \p H larger. \returns how many counters it has room for, at most \p
  /// Size.
  uint32_t grow(Histogram &H, uint32_t Size);
  uint64_t *take(size_t Bytes);

  Lock Mutex;
  uintptr_t Begin THERMOCLINE_GUARDED_BY(Mutex) = 0;
  size_t Used THERMOCLINE_GUARDED_BY(Mutex) = 0;
  /// The room for histograms in bytes; 0 for all that is reserved.
  size_t Limit = 0;
  Atomic<bool> Incomplete;
};

} // namespace thermocline::runtime

#endif
