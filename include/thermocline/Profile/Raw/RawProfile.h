//===- Raw/RawProfile.h - Raw memory profiles, validated --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what the profiling runtime wrote: LLVM's raw MemProf format, versions 3
// to 5 (llvm/ProfileData/MemProfData.inc). A file holds one or more dumps of
// one process, back to back. Each is
//
//   header    magic, version, total size, offsets of the three sections (u64)
//   segments  count; start, end, base, build id size (u64), build id (32 bytes)
//   MIBs      count; call stack id (u64), measures (version 3: without
//             histogram), histogram (version 4: u64, version 5: u16 each)
//   stacks    count; call stack id, number of addresses, addresses (u64)
//
// Thermocline's runtime puts behind the MIBs, from the next multiple of 8 bytes
// on,
//
//   samples   if it was asked to record only a share of the allocations: magic,
//             version, 1 in how many was recorded, count (u64); for each
//             MIB in the same order: allocations recorded, flags (u64),
//             variances of the totals of allocations, bytes, accesses and
//             lifetime, mean lifetime access density, its variance (double)
//   run       magic, version, when the run began and ended (u64)
//   windows   when memory was touched (thermocline/Format/RawSections.h)
//   layouts   how some small objects lay (likewise)
//
// Nothing in the file is trusted: every count, offset and id is checked before
// it is used, and what is wrong is named by dump and record.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_RAW_RAWPROFILE_H
#define THERMOCLINE_PROFILE_RAW_RAWPROFILE_H

#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/Layouts.h"
#include "thermocline/Profile/TouchWindows.h"
#include "thermocline/Support/Units.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ProfileData/MemProf.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <cassert>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::profile {

/// An executable segment of an object that was loaded, as addresses of the
/// profiled process.
struct RawSegment {
  uint64_t Start = 0;
  uint64_t End = 0;
  /// The address at which the object as a whole was loaded.
  uint64_t Base = 0;
  llvm::SmallVector<uint8_t, 20> BuildId;

  bool operator==(const RawSegment &) const = default;
};

/// When the run began and ended, in ms since the program started, like the
/// times of allocations. After a fork, or in a new round, it begins later than
/// the program.
struct RawRun {
  uint64_t BeginMs = 0;
  uint64_t EndMs = 0;

  Milliseconds length() const { return Milliseconds(EndMs - BeginMs); }
};

/// Addresses of calls, leaf first, where the file has them.
using RawAddresses = llvm::ArrayRef<llvm::support::ulittle64_t>;

/// How well the measures of a sampled run, which are estimates, are known. Each
/// recorded allocation counts for those that were not recorded beside it.
struct RawSampling {
  /// Allocations that were recorded.
  uint64_t Measured = 0;
  /// Other allocations of the context may have been left out.
  bool HasGaps = false;
  /// Of the allocations from the same call that were left out, some were
  /// accessed.
  bool PlaceTouched = false;
  /// Estimated variances of the totals of the MIB.
  double AllocCountVariance = 0;
  double SizeVariance = 0;
  double AccessesVariance = 0;
  double LifetimeVariance = 0;
  /// Accesses per byte and second, as the mean over allocations: estimate and
  /// variance. The MIB itself has an upper limit of it.
  double Density = 0;
  double DensityVariance = 0;
};

/// One calling context and its measures over the run.
struct RawContext {
  /// The runtime's id of the call stack.
  uint64_t CallStackId = 0;
  /// The measures. The histogram is not here: AccessHistogramSize and
  /// AccessHistogram are 0.
  llvm::memprof::MemInfoBlock Info;
  RawAddresses Calls;
  /// Accesses to the first 8 bytes of its allocations, the second 8 and so on,
  /// up to the end of the largest allocation. Empty if there is no histogram.
  std::vector<uint64_t> Histogram;
  /// When its memory was touched, by windows of the profile.
  ContextTouches Touches;
};

class RawProfile {
public:
  /// Whether \p Contents starts like a raw memory profile.
  static bool hasMagic(llvm::StringRef Contents);
  /// Whether the file \p Path can be read and starts like one.
  static bool isRaw(llvm::StringRef Path);

  static llvm::Expected<RawProfile> read(llvm::StringRef Path);
  /// Parses \p File, whose identifier is the name in errors, and whose bytes
  /// must outlive the profile.
  static llvm::Expected<RawProfile> parse(llvm::MemoryBufferRef File);

  llvm::StringRef file() const { return File; }
  size_t numDumps() const { return NumDumps; }
  /// Segments of all dumps, each once, in the order of the file. The first is
  /// that of the program itself.
  llvm::ArrayRef<RawSegment> segments() const { return Segments; }
  /// Each call stack once, in the order of the file. The MIBs that several
  /// dumps have of it are merged as LLVM does.
  llvm::ArrayRef<RawContext> contexts() const { return Contexts; }
  /// The addresses of all calls, each once, in the order of the contexts.
  std::vector<uint64_t> addresses() const;
  /// The sampling interval: one allocation of at most this many was recorded; 1
  /// if all were.
  uint64_t sampleInterval() const { return SampleInterval; }
  bool isSampled() const { return SampleInterval > 1; }
  /// How accesses are known. Of single contexts sampling may tell less. Unknown
  /// if there are no contexts.
  AccessKind accesses() const;
  /// How well the measures of \p C, which is one of contexts(), are known, if
  /// the profile is sampled.
  const RawSampling &sampling(const RawContext &C) const {
    assert(isSampled() && "all is measured");
    return Samplings[&C - Contexts.data()];
  }
  /// The time from the beginning of the first dump to the end of the last.
  /// Nothing if a dump does not tell its times, as those of LLVM's runtime do
  /// not.
  const std::optional<RawRun> &run() const { return Run; }
  /// The windows of the run; those of a later dump come after those of an
  /// earlier one. None if when memory was touched is not recorded.
  llvm::ArrayRef<RawWindow> windows() const { return Windows; }
  /// For pages of how many bytes windows say what was touched.
  uint64_t pageBytes() const { return PageBytes; }
  /// How some small objects lay, for bursts of which it is known. Contexts are
  /// numbers of contexts(); an object of none of them is not there.
  llvm::ArrayRef<BurstLayout> layouts() const { return Layouts; }
  /// MIBs that have an access histogram, which the indexed format cannot hold.
  uint64_t numHistograms() const { return NumHistograms; }

private:
  friend class RawParser;

  std::string File;
  /// The bytes, if the profile has read them itself.
  std::unique_ptr<llvm::MemoryBuffer> Buffer;
  size_t NumDumps = 0;
  std::vector<RawSegment> Segments;
  std::vector<RawContext> Contexts;
  /// By context; empty if the profile is not sampled.
  std::vector<RawSampling> Samplings;
  uint64_t NumHistograms = 0;
  uint64_t SampleInterval = 1;
  std::optional<RawRun> Run;
  std::vector<RawWindow> Windows;
  uint64_t PageBytes = UsualPageBytes;
  std::vector<BurstLayout> Layouts;
};

} // namespace thermocline::profile

#endif
