//===- Format/Part.h - The form of what we add to files ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What Thermocline adds to files of LLVM's formats is parts of one form: behind
// the records of a raw profile (RawSections.h), behind LLVM's parts of an
// indexed profile (ProfileParts.h), and in the names by which a module tells
// the link what its summary has no place for
// (Annotate/Metadata/PackedCarrier.h). A part is
//
//   head       a PartHeader
//   payload    as its kind has it, compressed by zstd if that is smaller and
//              the kind allows it; then zeros up to the next multiple of 8
//
// A reader refuses kinds and versions that it does not know. All numbers are
// little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_PART_H
#define THERMOCLINE_FORMAT_PART_H

#include "thermocline/Format/RunningHash.h"
#include <stddef.h>
#include <stdint.h>

namespace thermocline::format {

/// Up to eight letters as a number, in the order of the file.
constexpr uint64_t partKind(const char *Letters) {
  uint64_t Result = 0;
  for (unsigned I = 0; I != sizeof(Result) && Letters[I]; ++I)
    Result |= uint64_t(static_cast<unsigned char>(Letters[I])) << (8 * I);
  return Result;
}

struct PartHeader {
  uint64_t Kind = 0;
  /// The hashOf() (RunningHash.h) of what is between this field and the part's
  /// end.
  uint64_t Checksum = 0;
  /// The version of the payload.
  uint64_t Version = 0;
  /// How many parts of the same file are read after it.
  uint64_t NumLeft = 0;
  /// Bytes of the payload, in the file and before it was compressed. It is not
  /// compressed if both are equal.
  uint64_t PackedBytes = 0;
  uint64_t Bytes = 0;
};

static_assert(sizeof(PartHeader) == 6 * 8);

/// The checksum is that of what is behind it.
constexpr uint64_t PartCheckedFrom = offsetof(PartHeader, Version);

/// \returns how long a part is whose payload has so many bytes in the file.
constexpr uint64_t partBytes(uint64_t PackedBytes) {
  return sizeof(PartHeader) + (PackedBytes + 7) / 8 * 8;
}

} // namespace thermocline::format

#endif
