//===- Format/CallTable.h - The calls that the source has -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is built to be profiled tells which calls each function of
// its source has, in a section that is not loaded. An indexed profile keeps
// those of the functions that it has contexts of, behind LLVM's parts and in
// front of the trailer of windows (TouchTrailer.h). By them, contexts are found
// again in source that has changed since.
//
// In the section, each function is
//
//   head       a CallTableFunction
//   payload    profile::encode(); then zeros up to the next multiple of 4
//
// More zeros may stand between functions. In the indexed profile:
//
//   head       a CallTrailerHeader
//   payload    CallTable::encode(), compressed by zstd if that is smaller; then
//              zeros up to the next multiple of 8
//   foot       a CallTrailerFooter
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_CALLTABLE_H
#define THERMOCLINE_FORMAT_CALLTABLE_H

#include <stdint.h>

namespace thermocline::format {

constexpr char CallTableSection[] = ".thermocline.calls";
/// Group of what is in the section of a function that several modules have,
/// with its GUID behind.
constexpr char CallTableGroup[] = "thermocline.calls.";

constexpr uint32_t CallTableMagic = 0x6C616374; // "tcal"
/// Version 1 had calls of 24 bytes each, with a hash of the line alone.
constexpr uint32_t CallTableVersion = 2;
constexpr uint64_t CallTableAlignment = 4;

struct CallTableFunction {
  uint32_t Magic = CallTableMagic;
  uint32_t Version = CallTableVersion;
  uint32_t NumBytes = 0;
};

static_assert(sizeof(CallTableFunction) == 12);

constexpr uint64_t CallTrailerMagic = 0x646165686C616374; // "tcalhead"
/// Version 1 has one version of each function, and only names those that have
/// several. In version 2, the versions of a function follow each other, sorted.
/// Version 3 has the text of statements instead of that of lines.
constexpr uint64_t CallTrailerVersion = 3;
constexpr uint64_t CallTrailerWithText = 3;
constexpr uint64_t OldestCallTrailerVersion = 1;

struct CallTrailerHeader {
  uint64_t Magic = CallTrailerMagic;
  uint64_t Version = CallTrailerVersion;
  /// LLVM's xxh3_64bits of the payload as it is in the file.
  uint64_t Checksum = 0;
  /// Bytes of the payload, in the file and before it was compressed. It is not
  /// compressed if both are equal.
  uint64_t PackedBytes = 0;
  uint64_t Bytes = 0;
};

constexpr uint64_t CallTrailerEnd = 0x746F6F666C616374; // "tcalfoot"

struct CallTrailerFooter {
  /// Of the whole trailer, with this footer.
  uint64_t NumBytes = 0;
  uint64_t Magic = CallTrailerEnd;
};

} // namespace thermocline::format

#endif
