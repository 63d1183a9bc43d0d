//===- profile/Measures.h - What is measured of a context ----- -*- C++ -*-===//
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

#ifndef THERMOCLINE_RUNTIME_PROFILE_MEASURES_H
#define THERMOCLINE_RUNTIME_PROFILE_MEASURES_H

#include "Base.h"
#include "llvm/ProfileData/MemProfData.inc"

namespace thermocline::runtime {

using ::llvm::memprof::MemInfoBlock;

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
inline MemInfoBlock measuresOf(const Lifetime &L) {
  uint64_t Size = L.SizeBytes ? L.SizeBytes : 1;
  auto Clamped = static_cast<uint32_t>(Size > UINT32_MAX ? UINT32_MAX : Size);
  MemInfoBlock Result(Clamped, L.Accesses, L.AllocatedAt, L.FreedAt,
                      L.AllocatedOnCpu, L.FreedOnCpu, /*Histogram=*/0,
                      /*HistogramSize=*/0);
  if (Size != Clamped)
    Result.TotalSize = Size;
  return Result;
}

/// What a context has in place of densities if nobody counted its accesses,
/// times 100 as all densities: with no access at all, which no counted density
/// goes with. Far above all that is called cold, and below what LLVM calls hot,
/// so that tools that do not know it hint nothing either. The readers have the
/// same in thermocline/Profile/Classification.h.
constexpr uint32_t UnknownAccessDensity = 99999;

inline void markAccessesUnknown(MemInfoBlock &Measures) {
  uint64_t Total = uint64_t(Measures.AllocCount) * UnknownAccessDensity;
  Measures.TotalAccessCount = 0;
  Measures.MinAccessCount = Measures.MaxAccessCount = 0;
  Measures.TotalAccessDensity = Measures.TotalLifetimeAccessDensity = Total;
  Measures.MinAccessDensity = Measures.MaxAccessDensity = UnknownAccessDensity;
  Measures.MinLifetimeAccessDensity = Measures.MaxLifetimeAccessDensity =
      UnknownAccessDensity;
}

/// Adds \p New, which was freed later than all of \p Into. It is the record of
/// one allocation that stands for \p Weight.
inline void mergeMeasures(MemInfoBlock &Into, const MemInfoBlock &New,
                          uint32_t Weight = 1) {
  if (!Into.AllocCount) {
    Into = New;
    return;
  }
  if (__builtin_expect(Weight == 1, true)) {
    Into.Merge(New);
    return;
  }
  // Merge() counts 1 where New goes with the one before it.
  MemInfoBlock Before = Into;
  Into.Merge(New);
  Into.NumLifetimeOverlaps +=
      (Into.NumLifetimeOverlaps - Before.NumLifetimeOverlaps) * (Weight - 1);
  Into.NumSameAllocCpu +=
      (Into.NumSameAllocCpu - Before.NumSameAllocCpu) * (Weight - 1);
  Into.NumSameDeallocCpu +=
      (Into.NumSameDeallocCpu - Before.NumSameDeallocCpu) * (Weight - 1);
}

} // namespace thermocline::runtime

#endif
