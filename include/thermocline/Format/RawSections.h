//===- Format/RawSections.h - Our parts of a raw profile --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A raw profile has LLVM's format (llvm/ProfileData/MemProfData.inc, version
// 5). Thermocline adds parts (Part.h) to its section of records, behind the
// records, from the next multiple of 8 bytes on. LLVM's readers skip them. They
// stand in this order, and the first says how many follow:
//
//   samples    only if allocations were sampled: the sampling interval (u64):
//              one allocation of so many was recorded, 2 to MaxSampleInterval;
//              then for each record, in the same order, a SampleRecord
//   run        a RunRecord
//   windows    only if windows have ended: names of phases, the windows, then
//              for each record, in the same order, when its memory was touched
//   layouts    only if there are windows with bursts of which it is known: for
//              each window how some small objects lay
//
// None is compressed. All numbers are little-endian.
//
// Windows and layouts are numbers of variable length (ULEB128). Windows begin:
//
//   number of windows, 1 to MaxTouchWindows; number of records
//   how many bytes a page has: LeastTouchPageBytes times a power of two, up to
//     MostTouchPageBytes
//   number of names of phases, up to MaxTouchPhases - 1
//     for each name: its length, 1 to MaxPhaseNameBytes, and its bytes. No two
//     are the same
//   for each window: how long it took, how long the burst at its end took (0 if
//     there was none), both in microseconds of processor time, and the number
//     of its phase: 0 if the program was in none, 1 for the first name
//
// When the memory of a record was touched is said for its objects of less than
// a page, and then the same for each piece of its larger ones that has the size
// of one:
//
//   number of windows, from the first to the last at whose end such units
//   lived; if it is not 0:
//     number of the first
//     granules, and how many of them were accessed since they were allocated:
//     of all units that lived at the end of a window, summed over windows; of a
//     record with WatchedAccessDensity: units, and how many of them were looked
//     at, from which the others are estimated
//     the sum of w (w - 1) over units that were looked at, of which each stands
//     for w, summed over windows; 0 of a record without WatchedAccessDensity
//     for each window, or several that are alike: what differs from the one
//     before (bits of WindowChange), plus as many times WindowRepeat as further
//     windows are like this one; then by how much, as 2n, or -2n - 1 if that is
//     negative: units that lived at the end, their bytes, how many of them were
//     touched in the window, how many of these in its burst, how many lay far
//     from all that was touched in the window, and in its burst. Then how many
//     of those that were touched were born in the window, and in its burst, and
//     how many others lay on pages with such, for the window and its burst.
//     What was born has no part in what is far from it. Before the first, all
//     ten are 0.
//
// Layouts begin with the number of windows. They tell, for each window, of
// small objects (up to MostOrderedBytes) that lie side by side: in order of
// allocation in one kind of stretch, by size class in the other.
//
//   number of stretches
//     for each: twice the number of its runs, plus 1 if it is by size class
//       for each run of objects that are alike, in the order in which they lie:
//       their granules of 16 bytes minus 1, times 8, plus twice their
//       LayoutState, plus 1 if there are several; the id of the context, as
//       records have it; if they were touched, in which pieces of 64 bytes (a
//       bit each, from the lowest on), times 2, plus 1 if the first piece has
//       32 bytes; if there are several, how many more than two
//
// What was born in the burst is not among them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RAWSECTIONS_H
#define THERMOCLINE_FORMAT_RAWSECTIONS_H

#include "thermocline/Format/Part.h"
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
/// The value of densities if nobody counted accesses, but windows tell when
/// memory was touched, as the page table was asked.
constexpr uint32_t WatchedAccessDensity = 99998;

enum RawPart : uint64_t {
  RawSamplePart = partKind("tcsample"),
  RawRunPart = partKind("tcrtimes"),
  RawWindowPart = partKind("tcwindow"),
  RawLayoutPart = partKind("tclayout"),
};
/// The version of each of these parts.
constexpr uint64_t RawPartVersion = 1;

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

/// The time that the profile covers, in ms since the program started, like the
/// times of allocations.
struct RunRecord {
  /// When the program started, forked this process or began a new round.
  uint64_t BeginMs = 0;
  /// When the profile was taken.
  uint64_t EndMs = 0;
};

/// A run has at most so many windows, from the time on at which it had that
/// many at least half of it: when all have ended, each two become one.
constexpr unsigned MaxTouchWindows = 32;
/// Of an object of a page and more, each piece of the size of a page is a unit.
/// The size of a page is that of the kernel's pages, or what the user asks for.
constexpr uint64_t LeastTouchPageBytes = 4096;
constexpr uint64_t MostTouchPageBytes = 64 * 1024;
/// Whether a page may have \p Bytes.
constexpr bool isTouchPageSize(uint64_t Bytes) {
  return Bytes >= LeastTouchPageBytes && Bytes <= MostTouchPageBytes &&
         (Bytes & (Bytes - 1)) == 0;
}
/// A run has at most so many phases, the time in no phase among them.
constexpr unsigned MaxTouchPhases = 16;
constexpr unsigned MaxPhaseNameBytes = 63;

enum WindowChange : uint64_t {
  LiveChanged = 1,
  BytesChanged = 2,
  TouchedChanged = 4,
  /// How many of the units that were touched were touched in the burst.
  BurstChanged = 8,
  FarChanged = 16,
  FarInBurstChanged = 32,
  BornChanged = 64,
  BornInBurstChanged = 128,
  AmongBornChanged = 256,
  AmongBornInBurstChanged = 512,
  WindowRepeat = 1024,
};

// How the allocator lays small objects in order of allocation
// (runtime/alloc/order), as far as others have to know.

/// Sizes are rounded up to a multiple of this.
constexpr uint64_t OrderGranuleBytes = 16;
/// Larger objects, and those with a larger alignment than a granule, do not lie
/// in order.
constexpr uint64_t MostOrderedBytes = 1024;
/// A thread fills a piece of this size before it takes the next.
constexpr uint64_t OrderChunkBytes = 32 * 1024;
constexpr unsigned OrderChunkGranules = OrderChunkBytes / OrderGranuleBytes;

/// \returns the granules of an object of \p Bytes bytes, 1 to MostOrderedBytes.
constexpr unsigned orderGranules(uint64_t Bytes) {
  return static_cast<unsigned>((Bytes + OrderGranuleBytes - 1) /
                               OrderGranuleBytes);
}

/// \returns the size of the objects that lie beside one of \p Granules granules
/// if small objects lie by size class: jemalloc has steps of 16 bytes up to
/// 128, and then four to each power of two.
constexpr uint64_t classBytes(unsigned Granules) {
  uint64_t Step = 1;
  while (Granules > 8 * Step)
    Step *= 2;
  return (Granules + Step - 1) / Step * Step * OrderGranuleBytes;
}

static_assert(classBytes(1) == 16 && classBytes(8) == 128 &&
              classBytes(9) == 160 && classBytes(16) == 256 &&
              classBytes(17) == 320 && classBytes(64) == 1024);

enum LayoutState : uint64_t {
  /// Objects that were not touched in the burst, and that were.
  LayoutIdle = 0,
  LayoutTouched = 1,
  /// Where an object lay that has ended.
  LayoutHole = 2,
};

static_assert(sizeof(SampleRecord) == 64 && sizeof(RunRecord) == 16);

} // namespace thermocline::format

#endif
