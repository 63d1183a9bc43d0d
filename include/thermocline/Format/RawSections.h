//===- Format/RawSections.h - Our parts of a raw profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile has LLVM's format (llvm/ProfileData/MemProfData.inc, version
// 5). Thermocline adds parts to its section of records, behind the records,
// from the next multiple of 8 bytes on. LLVM's readers skip them:
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
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RAWSECTIONS_H
#define THERMOCLINE_FORMAT_RAWSECTIONS_H

#include <stdint.h>

namespace thermocline::format {

/// The file's name if no other is given; ".PID" is added.
constexpr char DefaultProfileFileName[] = "memprof.profraw";

/// The value of a record's densities (which are times 100) if nobody counted
/// accesses, as in profiles of programs that are not instrumented. The record
/// then has 0 accesses, which goes with no counted density. The value is far
/// above everything that is called cold, and below what LLVM calls hot. So
/// tools that do not know it hint nothing either.
constexpr uint32_t UnknownAccessDensity = 99999;

constexpr uint64_t SampleMagic = 0x656C706D61736374; // "tcsample"
constexpr uint64_t SampleVersion = 1;

struct SampleHeader {
  uint64_t Magic = SampleMagic;
  uint64_t Version = SampleVersion;
  /// The sampling interval: one allocation of this many was recorded. 2 to
  /// MaxSampleInterval.
  uint64_t Interval = 0;
  /// Number of records.
  uint64_t Count = 0;
};

/// How well the measures of a record, which are estimates, are known.
struct SampleRecord {
  /// Allocations that were recorded.
  uint64_t Measured = 0;
  /// A set of SampleFlag.
  uint64_t Flags = 0;
  /// Estimated variances of the record's totals.
  double AllocCountVariance = 0;
  double SizeVariance = 0;
  double AccessesVariance = 0;
  double LifetimeVariance = 0;
  /// Accesses per byte and second, as the mean over allocations (not times
  /// 100): estimate and variance. The record itself has an upper limit of it.
  double Density = 0;
  double DensityVariance = 0;
};

enum SampleFlag : uint64_t {
  /// Other allocations of the context may have been left out.
  HasGaps = 1,
  /// Of the allocations from the same call that were left out, some were
  /// accessed.
  PlaceTouched = 2,
  AllSampleFlags = HasGaps | PlaceTouched,
};

constexpr uint64_t RunMagic = 0x73656D6974726374; // "tcrtimes"
constexpr uint64_t RunVersion = 1;

/// The time that the profile covers, in ms since the program started, like the
/// times of allocations.
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
