//===- Format/ProfileParts.h - Our parts of an indexed profile --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexed profile has LLVM's format (llvm/ProfileData/InstrProf.h). Its
// header tells where LLVM's parts are, so LLVM's readers skip what is behind
// the last of them. There, from the next multiple of 8 bytes on, Thermocline
// writes parts of its own, one behind the other up to the end of the file, in
// any order. Each is
//
//   head       a PartHeader
//   payload    as its kind has it, compressed by zstd if that is smaller and
//              the kind allows it; then zeros up to the next multiple of 8
//   foot       a PartFooter
//
// They are found from the end of the file. A reader knows all kinds. All
// numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_PROFILEPARTS_H
#define THERMOCLINE_FORMAT_PROFILEPARTS_H

#include <stdint.h>

namespace thermocline::format {

enum class PartKind : uint64_t {
  /// DataTypes.h.
  Types = 0x73657079743a6374, // "tc:types"
  /// BinaryPart.h.
  Binaries = 0x72616e69623a6374, // "tc:binar"
  /// CallTable.h.
  Calls = 0x736c6c61633a6374, // "tc:calls"
  /// The two of TouchPart.h.
  Windows = 0x77646e69773a6374, // "tc:windw"
  Touches = 0x6863756f743a6374, // "tc:touch"
};

struct PartHeader {
  PartKind Kind = {};
  /// LLVM's xxh3_64bits of what is between this field and the foot.
  uint64_t Checksum = 0;
  /// Of the payload.
  uint64_t Version = 0;
  /// How many parts are in front of it.
  uint64_t Place = 0;
  /// Bytes of the payload, in the file and before it was compressed. It is not
  /// compressed if both are equal.
  uint64_t PackedBytes = 0;
  uint64_t Bytes = 0;
};

constexpr uint64_t PartEnd = 0x3e747261703a6374; // "tc:part>"

struct PartFooter {
  /// Of the whole part, with this footer.
  uint64_t NumBytes = 0;
  uint64_t Magic = PartEnd;
};

static_assert(sizeof(PartHeader) == 6 * 8);
static_assert(sizeof(PartFooter) == 2 * 8);

} // namespace thermocline::format

#endif
