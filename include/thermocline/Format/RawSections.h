//===- Format/RawSections.h - Our parts of a raw profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile is LLVM's (llvm/ProfileData/MemProfData.inc, version 5). Behind
// the records, from the next multiple of 8 bytes on, its section of records has
// parts of ours, which LLVM's readers pass over:
//
//   samples    only if allocations were sampled: a SampleHeader, then for each
//              record, in the same order, a SampleRecord
//   run        a RunRecord
//
// | version of samples | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// | version of run | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// All is little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RAWSECTIONS_H
#define THERMOCLINE_FORMAT_RAWSECTIONS_H

#include <stdint.h>

namespace thermocline::format {

/// The file's name where no other is given; ".PID" is added.
constexpr char DefaultProfileFileName[] = "memprof.profraw";

/// What a record has in place of its densities (times 100, as these are) if
/// nobody counted accesses, and 0 accesses beside them, which no counted
/// density goes with: in profiles of programs that are not instrumented. Far
/// above all that is called cold, and below what LLVM calls hot, so that tools
/// that do not know it hint nothing either.
constexpr uint32_t UnknownAccessDensity = 99999;

constexpr uint64_t SampleMagic = 0x656C706D61736374; // "tcsample"
constexpr uint64_t SampleVersion = 1;

struct SampleHeader {
  uint64_t Magic = SampleMagic;
  uint64_t Version = SampleVersion;
  /// One allocation of so many was recorded: 2 to MaxSampleInterval.
  uint64_t Interval = 0;
  /// Of records.
  uint64_t Count = 0;
};

/// How well the measures of a record are known, which are estimates.
struct SampleRecord {
  /// Allocations that were recorded.
  uint64_t Measured = 0;
  /// Of SampleFlag.
  uint64_t Flags = 0;
  /// Estimated variances of the record's totals.
  double AllocCountVariance = 0;
  double SizeVariance = 0;
  double AccessesVariance = 0;
  double LifetimeVariance = 0;
  /// Accesses per byte and second, the mean over allocations (not times 100):
  /// estimate and variance. The record has an upper limit in its place.
  double Density = 0;
  double DensityVariance = 0;
};

enum SampleFlag : uint64_t {
  /// Others of the context may have been left out.
  HasGaps = 1,
  /// Of allocations at the same place in the program that were left out, some
  /// were accessed.
  PlaceTouched = 2,
  AllSampleFlags = HasGaps | PlaceTouched,
};

constexpr uint64_t RunMagic = 0x73656D6974726374; // "tcrtimes"
constexpr uint64_t RunVersion = 1;

/// What the profile is about, in ms since the program started, as the times of
/// allocations are.
struct RunRecord {
  uint64_t Magic = RunMagic;
  uint64_t Version = RunVersion;
  /// When the program started, forked this process or began a new round.
  uint64_t BeginMs = 0;
  /// When the profile was taken.
  uint64_t EndMs = 0;
};

static_assert(sizeof(SampleHeader) == 32 && sizeof(SampleRecord) == 64 &&
              sizeof(RunRecord) == 32);

} // namespace thermocline::format

#endif
