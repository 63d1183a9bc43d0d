//===- Format/BinaryTrailer.h - Binaries of an indexed profile --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If an indexed profile was made of several binaries, Thermocline writes which
// of them has what, from the next multiple of 8 bytes behind LLVM's last part
// on, and in front of the trailer of windows (thermocline/Format/
// TouchTrailer.h), if there is one:
//
//   head       a BinaryTrailerHeader
//   binaries   ascending by build id, for each: bytes of the build id, of the
//              name of the file, functions, contexts (u64 each); the build id;
//              the name; zeros up to the next multiple of 8; the GUIDs of the
//              functions that frames of contexts have in it, ascending (u64
//              each); the full stack ids of the contexts that were allocated in
//              it, ascending (u64 each)
//   foot       a BinaryTrailerFooter
//
// A function or context may be in several of them: functions that are inline in
// a header, or have the same name.
//
// | version | since | what changed |
// |---|---|---|
// | 1 | 0.1 | |
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_BINARYTRAILER_H
#define THERMOCLINE_FORMAT_BINARYTRAILER_H

#include <stdint.h>

namespace thermocline::format {

constexpr uint64_t BinaryTrailerMagic = 0x6461656862636374; // "tccbhead"
constexpr uint64_t BinaryTrailerVersion = 1;

struct BinaryTrailerHeader {
  uint64_t Magic = BinaryTrailerMagic;
  uint64_t Version = BinaryTrailerVersion;
  /// LLVM's xxh3_64bits of what is between this field and the foot.
  uint64_t Checksum = 0;
  /// Of the memory profile that it belongs to: IndexedProfile::checksum().
  uint64_t ProfileChecksum = 0;
  uint64_t NumBinaries = 0;
};

constexpr uint64_t BinaryTrailerEnd = 0x746F6F6662636374; // "tccbfoot"

struct BinaryTrailerFooter {
  /// Of the whole trailer, with this footer.
  uint64_t NumBytes = 0;
  uint64_t Magic = BinaryTrailerEnd;
};

static_assert(sizeof(BinaryTrailerHeader) == 5 * 8);
static_assert(sizeof(BinaryTrailerFooter) == 16);

} // namespace thermocline::format

#endif
