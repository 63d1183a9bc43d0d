//===- Profile/RunInfo.h - How long the profiled runs were ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's indexed profile does not say how many runs it was made of and how long
// they took, but without that a lifetime means nothing. Thermocline keeps it in
// the profile as the record of a function with a reserved name: one allocation
// site with one frame, whose measures describe the runs. No function of a
// program has that name, so stock tools carry the record along and never use
// it.
//
//   AllocCount         number of runs
//   TotalLifetime      sum of their lengths in ms
//   TotalLifetimeAccessDensity
//                      sum of the squares of their lengths; 0 in profiles that
//                      were merged before this was kept
//   TotalSize          runs that say when memory was touched
//   Min-, MaxLifetime  shortest and longest run in ms (full schema only)
//   TotalAccessCount   runs whose length is an estimate (full schema only)
//
// Merging two such records by the rules of MemInfoBlock is right for runs, too.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RUNINFO_H
#define THERMOCLINE_PROFILE_RUNINFO_H

#include "thermocline/Support/Units.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/MemProf.h"
#include <optional>

namespace thermocline::profile {

/// How the length of the runs is known.
enum class RunInfoOrigin : uint8_t {
  /// Recorded in the profile, if only as an estimate, when it was merged.
  Recorded,
  /// Computed: from the first allocation to the last deallocation of all
  /// contexts. The number of runs is taken to be 1.
  Timestamps,
};

struct RunInfo {
  uint64_t Runs = 0;
  /// Sum over all runs.
  Milliseconds TotalLength;
  Milliseconds Shortest;
  Milliseconds Longest;
  /// Sum of the squares of the lengths in ms; no more than UINT64_MAX.
  uint64_t TotalSquare = 0;
  /// The number of runs whose length is an estimate by TimeSpan, because the
  /// raw profile did not tell it.
  uint64_t Estimated = 0;
  /// The number of runs that said when memory was touched.
  uint64_t WithWindows = 0;
  RunInfoOrigin Origin = RunInfoOrigin::Recorded;

  double meanLengthMs() const {
    return Runs ? static_cast<double>(TotalLength.count()) /
                      static_cast<double>(Runs)
                : 0.0;
  }

  /// The length, in ms, that lifetimes are compared with: the mean in which
  /// each run counts by its length. So a forked child that soon ends does not
  /// make short lifetimes of its parent's memory look long. 0 if there were no
  /// runs.
  double comparedLengthMs() const {
    return TotalLength.count() ? static_cast<double>(TotalSquare) /
                                     static_cast<double>(TotalLength.count())
                               : 0.0;
  }

  /// One run of the recorded length \p Length.
  static RunInfo oneRun(Milliseconds Length);
  /// One run of the length \p Length, an estimate by TimeSpan.
  static RunInfo oneEstimatedRun(Milliseconds Length);
  void add(const RunInfo &Other);
};

/// Estimates the length of one run if it is not recorded: from the program's
/// first allocation to the last deallocation of all, which is the end of the
/// run if anything lived until then. A block keeps only the times of its last
/// allocation, so the time of the first is bounded by that and by the longest
/// lifetime.
///
/// The estimate begins with the first allocation and not with time 0, because
/// the stock runtime counts from the start of the second in which the program
/// started. It takes only allocations of the program itself, because the stock
/// runtime gives time 0 to those that libraries made before it was ready.
class TimeSpan {
public:
  /// \p OfProgram is whether the context has a frame of the program.
  void add(uint32_t AllocTimestamp, uint32_t DeallocTimestamp,
           uint32_t MaxLifetime, bool OfProgram);
  Milliseconds length() const {
    return Milliseconds(Last > First ? Last - First : 0);
  }

private:
  uint64_t First = UINT64_MAX;
  uint64_t Last = 0;
};

/// The reserved name, and the GUID of its record.
llvm::StringRef runInfoFunctionName();
llvm::GlobalValue::GUID runInfoGUID();

/// The one frame of the record's one context.
llvm::memprof::Frame runInfoFrame();

/// Encodes \p Runs as measures, and decodes them. Decoding gives nothing for a
/// block without AllocCount and TotalLifetime, or without runs.
llvm::memprof::MemInfoBlock encodeRunInfo(const RunInfo &Runs);
std::optional<RunInfo>
decodeRunInfo(const llvm::memprof::PortableMemInfoBlock &Block);

} // namespace thermocline::profile

#endif
