//===- measure/Measures.h - What is measured of a context -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The record of a context in the raw profile is LLVM's MemInfoBlock; its header
// defines the fields, their order and how two of them merge.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURE_MEASURES_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURE_MEASURES_H

#include "platform/Base.h"
#include "platform/MemProfData.h"
#include "thermocline/Format/RawSections.h"

namespace thermocline::runtime {

/// One allocation from beginning to end (or to now, if it lives).
struct Lifetime {
  uint64_t SizeBytes = 0;
  uint64_t Accesses = 0;
  /// Milliseconds since the program started.
  uint32_t AllocatedAt = 0;
  uint32_t FreedAt = 0;
  uint32_t AllocatedOnCpu = 0;
  uint32_t FreedOnCpu = 0;
};

/// The record of a single allocation. The fields for least and greatest size
/// have 32 bits: they stop at 4 GiB - 1.
// The format has 32 bits for numbers of allocations. What would be more than
// they hold stays at the most, which readers know and warn of: a number that
// began anew would make the measures of many those of few.

/// \p Sum and \p Added, or the most.
inline uint32_t addCounts(uint32_t Sum, uint64_t Added) {
  const uint64_t Result = Sum + Added;
  return Result > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(Result);
}
/// The same for densities, of which the format has the least and the most.
inline uint32_t clampedDensity(uint64_t Density) {
  return Density > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(Density);
}

inline MemInfoBlock measuresOf(const Lifetime &L) {
  uint64_t Size = L.SizeBytes ? L.SizeBytes : 1;
  auto Clamped = static_cast<uint32_t>(Size > UINT32_MAX ? UINT32_MAX : Size);
  MemInfoBlock Result(Clamped, L.Accesses, L.AllocatedAt, L.FreedAt,
                      L.AllocatedOnCpu, L.FreedOnCpu, /*Histogram=*/0,
                      /*HistogramSize=*/0);
  if (Size != Clamped)
    Result.TotalSize = Size;
  Result.MinAccessDensity = Result.MaxAccessDensity =
      clampedDensity(Result.TotalAccessDensity);
  Result.MinLifetimeAccessDensity = Result.MaxLifetimeAccessDensity =
      clampedDensity(Result.TotalLifetimeAccessDensity);
  return Result;
}

/// Does the same as \p Total.Merge(measuresOf(L)), without making that record:
/// most allocations that end go this way. \p Total is not empty.
inline void mergeLifetime(MemInfoBlock &Total, const Lifetime &L) {
  uint64_t Size = L.SizeBytes ? L.SizeBytes : 1;
  auto Clamped = static_cast<uint32_t>(Size > UINT32_MAX ? UINT32_MAX : Size);
  uint32_t Time = L.FreedAt - L.AllocatedAt;
  uint64_t Density = 0, TimeDensity = 0;
  // Divisions are the longest of all this.
  if (L.Accesses) {
    Density = L.Accesses * 100 / Clamped;
    TimeDensity = Density * 1000;
    if (Time > 1)
      TimeDensity /= Time;
  }
  const uint32_t Density32 = clampedDensity(Density);
  const uint32_t TimeDensity32 = clampedDensity(TimeDensity);
  // These are macros, as there are no references to packed fields.
#define THERMOCLINE_RANGE(Name, Value)                                         \
  if (Value < Total.Min##Name)                                                 \
    Total.Min##Name = Value;                                                   \
  if (Value > Total.Max##Name)                                                 \
  Total.Max##Name = Value
  Total.AllocCount = addCounts(Total.AllocCount, 1);
  Total.TotalAccessCount += L.Accesses;
  THERMOCLINE_RANGE(AccessCount, L.Accesses);
  Total.TotalSize += Size;
  THERMOCLINE_RANGE(Size, Clamped);
  Total.TotalLifetime += Time;
  THERMOCLINE_RANGE(Lifetime, Time);
  Total.TotalAccessDensity += Density;
  THERMOCLINE_RANGE(AccessDensity, Density32);
  Total.TotalLifetimeAccessDensity += TimeDensity;
  THERMOCLINE_RANGE(LifetimeAccessDensity, TimeDensity32);
#undef THERMOCLINE_RANGE
  // Merge() does not add up migrations.
  Total.NumLifetimeOverlaps = addCounts(Total.NumLifetimeOverlaps,
                                        L.AllocatedAt < Total.DeallocTimestamp);
  Total.AllocTimestamp = L.AllocatedAt;
  Total.DeallocTimestamp = L.FreedAt;
  Total.NumSameAllocCpu =
      addCounts(Total.NumSameAllocCpu, Total.AllocCpuId == L.AllocatedOnCpu);
  Total.NumSameDeallocCpu =
      addCounts(Total.NumSameDeallocCpu, Total.DeallocCpuId == L.FreedOnCpu);
  Total.AllocCpuId = L.AllocatedOnCpu;
  Total.DeallocCpuId = L.FreedOnCpu;
}

/// A copy without a call of memcpy, which here is the program's, and counts.
inline void copyMeasures(MemInfoBlock &To, const MemInfoBlock &From) {
  __builtin_memcpy_inline(&To, &From, sizeof(From));
}

using format::UnknownAccessDensity;
using format::WatchedAccessDensity;

/// \p Density says whether it is known when memory was touched.
inline void markAccessesUnknown(MemInfoBlock &Measures,
                                uint32_t Density = UnknownAccessDensity) {
  uint64_t Total = uint64_t(Measures.AllocCount) * Density;
  Measures.TotalAccessCount = 0;
  Measures.MinAccessCount = Measures.MaxAccessCount = 0;
  Measures.TotalAccessDensity = Measures.TotalLifetimeAccessDensity = Total;
  Measures.MinAccessDensity = Measures.MaxAccessDensity = Density;
  Measures.MinLifetimeAccessDensity = Measures.MaxLifetimeAccessDensity =
      Density;
}

/// Adds \p New, which was freed later than all of \p Total. It is the record of
/// one allocation that stands for \p Weight.
inline void mergeMeasures(MemInfoBlock &Total, const MemInfoBlock &New,
                          uint32_t Weight = 1) {
  if (!Total.AllocCount) {
    copyMeasures(Total, New);
    return;
  }
  // Merge() counts 1 where New goes with the one before it.
  MemInfoBlock Before;
  copyMeasures(Before, Total);
  Total.Merge(New);
  Total.AllocCount = addCounts(Before.AllocCount, New.AllocCount);
  auto Weighed = [&](uint32_t Was, uint32_t Is) {
    return addCounts(Was, uint64_t(Is - Was) * Weight);
  };
  Total.NumLifetimeOverlaps =
      Weighed(Before.NumLifetimeOverlaps, Total.NumLifetimeOverlaps);
  Total.NumSameAllocCpu =
      Weighed(Before.NumSameAllocCpu, Total.NumSameAllocCpu);
  Total.NumSameDeallocCpu =
      Weighed(Before.NumSameDeallocCpu, Total.NumSameDeallocCpu);
}

} // namespace thermocline::runtime

#endif
