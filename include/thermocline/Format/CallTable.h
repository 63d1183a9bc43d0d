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
//   calls      a CallTableCall for each, by line and column
//
// Zeros may stand between functions. In the indexed profile:
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
constexpr uint32_t CallTableVersion = 1;

struct CallTableFunction {
  uint32_t Magic = CallTableMagic;
  uint32_t Version = CallTableVersion;
  /// profile::SourceFunction has the meaning of these.
  uint64_t Function = 0;
  uint64_t Local = 0;
  uint32_t File = 0;
  uint32_t NumCalls = 0;
};

struct CallTableCall {
  int32_t Line = 0;
  uint32_t Column = 0;
  uint64_t Callee = 0;
  uint32_t Text = 0;
  uint32_t Unused = 0;
};

static_assert(sizeof(CallTableFunction) == 32);
static_assert(sizeof(CallTableCall) == 24);

constexpr uint64_t CallTrailerMagic = 0x646165686C616374; // "tcalhead"
/// Version 1 has one version of each function, and only names those that have
/// several. In version 2, the versions of a function follow each other, sorted.
constexpr uint64_t CallTrailerVersion = 2;
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
