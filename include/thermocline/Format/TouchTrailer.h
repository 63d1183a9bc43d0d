//===- Format/TouchTrailer.h - Our part of an indexed profile ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexed profile has LLVM's format (llvm/ProfileData/InstrProf.h). Its
// header tells where the parts are, so LLVM's readers skip what is behind the
// last of them. There, from the next multiple of 8 bytes on, Thermocline writes
// when memory was touched:
//
//   head       a TouchTrailerHeader
//   phases     in the order of their names, for each: runs, windows, their
//              length, bursts, their length in microseconds (u64 each), the
//              length of the name (u64), the name; then zeros up to the next
//              multiple of 8
//   table      of contexts of which something lived at the end of a window:
//              their full stack ids, ascending (u64 each), what each saves if
//              it is hinted, in bytes of pages (float each), which ones are
//              cold (a bit each, from the lowest bit of the first byte on);
//              then zeros up to the next multiple of 8
//   touches    for each context in the same order, its objects of less than a
//              page, and the pages of larger ones, by bins of the grid, in the
//              form of the raw profile (version 3 of windows in
//              thermocline/Format/RawSections.h), each followed, unless it is
//              empty, by the number of its units, summed over bins, that
//              sampling only estimated (LEB128); compressed by zstd if that
//              makes them smaller; then zeros up to the next multiple of 8
//   foot       a TouchTrailerFooter; the file ends behind it
//
// | version | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
// | 2 | 0.1 | estimated units |
// | 3 | 0.1 | far units |
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_TOUCHTRAILER_H
#define THERMOCLINE_FORMAT_TOUCHTRAILER_H

#include <stdint.h>

namespace thermocline::format {

constexpr uint64_t TouchTrailerMagic = 0x6461656872746374; // "tctrhead"
constexpr uint64_t TouchTrailerVersion = 3;

struct TouchTrailerHeader {
  uint64_t Magic = TouchTrailerMagic;
  uint64_t Version = TouchTrailerVersion;
  /// Of the head behind this field, and the phases. Checksums are LLVM's
  /// xxh3_64bits.
  uint64_t Checksum = 0;
  /// Where the trailer begins, in bytes from the beginning of the file.
  uint64_t Offset = 0;
  /// Of the memory profile that it belongs to: IndexedProfile::checksum().
  uint64_t ProfileChecksum = 0;
  uint64_t NumPhases = 0;
  /// Bytes of the phases, without the zeros behind them.
  uint64_t PhaseBytes = 0;
  uint64_t NumContexts = 0;
  uint64_t TableChecksum = 0;
  /// Bytes of the touches: as they are in the file, without the zeros behind
  /// them, and before they were compressed. They are not compressed if both are
  /// equal.
  uint64_t PackedBytes = 0;
  uint64_t TouchBytes = 0;
  uint64_t TouchChecksum = 0;
  /// What was decided for: PlacementOptions::Goal, 0 or 1; its PageBytes; and
  /// the number of its Phase in the order of the phases plus 1, or 0 for all.
  uint64_t Goal = 0;
  uint64_t PageBytes = 0;
  uint64_t Phase = 0;
  /// The prediction for the contexts that are cold (thermocline/Placement/
  /// Placement.h): working set at bursts, before and after; at windows, before
  /// and after; live bytes of small objects, and of all.
  double Predicted[6] = {};
};

constexpr uint64_t TouchTrailerEnd = 0x746F6F6672746374; // "tctrfoot"

struct TouchTrailerFooter {
  /// Of the whole trailer, with this footer.
  uint64_t NumBytes = 0;
  uint64_t Magic = TouchTrailerEnd;
};

static_assert(sizeof(TouchTrailerHeader) == 21 * 8);
static_assert(sizeof(TouchTrailerFooter) == 16);

} // namespace thermocline::format

#endif
