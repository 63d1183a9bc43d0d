//===- Format/RawChecksums.h - What shows damaged raw profiles --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's format of raw profiles has no checksums. Thermocline's runtime writes
// a ChecksumPart between the header and the segments, where the header's offset
// of the segments makes room for it. It says where the ChecksumSets are: behind
// it, or behind the call stacks if the file is written from front to back.
// LLVM's readers go by the header's offsets, and skip both.
//
// A file that is kept up to date has two sections of records, one of which the
// header names (ContinuousFile.h), and there are checksums for each. The header
// decides which ones count: a store of its offset of the records changes both
// at once. Segments and call stacks are appended before that. So the checksums
// cover as many of them as there were when the records were written, and what
// is behind is no part of the profile.
//
// | version | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RAWCHECKSUMS_H
#define THERMOCLINE_FORMAT_RAWCHECKSUMS_H

#include "thermocline/Format/RunningHash.h"
#include <stdint.h>

namespace thermocline::format {

/// What belongs to one section of records.
struct RawChecksums {
  /// Where the section begins; 0: these are no checksums.
  uint64_t RecordOffset = 0;
  /// Its length, with Thermocline's own parts.
  uint64_t RecordBytes = 0;
  /// The section of segments counts at least so many.
  uint64_t NumSegments = 0;
  /// The section of call stacks counts at least so many, and the first so many
  /// have that many bytes.
  uint64_t NumStacks = 0;
  uint64_t StackBytes = 0;
  /// The checksums of the first NumSegments segments, of RecordBytes bytes from
  /// RecordOffset on, and of the first StackBytes bytes of call stacks; without
  /// the counts of segments and stacks.
  uint64_t Segments = 0;
  uint64_t Records = 0;
  uint64_t Stacks = 0;
  /// The checksum of LLVM's header (with this RecordOffset), of the
  /// ChecksumPart and of all fields above.
  uint64_t Header = 0;
};

constexpr uint64_t ChecksumMagic = 0x736B636568636374; // "tcchecks"
constexpr uint64_t ChecksumVersion = 1;

/// What is behind LLVM's header.
struct ChecksumPart {
  uint64_t Magic = ChecksumMagic;
  uint64_t Version = ChecksumVersion;
  /// The offset of the ChecksumSets from the beginning of the header.
  uint64_t Offset = 0;
};

struct ChecksumSets {
  RawChecksums Sections[2];
};

constexpr uint64_t RawHeaderBytes = 48;

/// What RawChecksums::Header has to be. \p RawHeader: LLVM's header.
inline uint64_t headerChecksum(const void *RawHeader, const ChecksumPart *Part,
                               const RawChecksums &C) {
  RunningHash Result;
  Result.add(RawHeader, RawHeaderBytes);
  Result.add(Part, sizeof(*Part));
  Result.add(&C, sizeof(C) - sizeof(C.Header));
  return Result.value();
}

static_assert(sizeof(RawChecksums) == 72 && sizeof(ChecksumPart) == 24);

} // namespace thermocline::format

#endif
