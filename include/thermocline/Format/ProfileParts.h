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
// writes parts of its own (Part.h), one behind the other up to the end of the
// file, in any order, each with a PartFooter behind it. They are found from the
// end of the file. A reader knows all kinds.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_PROFILEPARTS_H
#define THERMOCLINE_FORMAT_PROFILEPARTS_H

#include "thermocline/Format/Part.h"
#include <stdint.h>

namespace thermocline::format {

enum ProfilePart : uint64_t {
  /// DataTypes.h.
  TypesPart = partKind("tc:types"),
  /// The two of BinaryPart.h.
  BinariesPart = partKind("tc:binar"),
  ArchitecturesPart = partKind("tc:archi"),
  /// CallTable.h.
  CallsPart = partKind("tc:calls"),
  /// The four of TouchPart.h.
  WindowsPart = partKind("tc:windw"),
  TouchesPart = partKind("tc:touch"),
  OrderPart = partKind("tc:order"),
  SamplesPart = partKind("tc:sampl"),
  /// RecordedPart.h.
  RecordedPart = partKind("tc:recor"),
};

constexpr uint64_t PartEnd = partKind("tc:part>");

struct PartFooter {
  /// The length of the whole part, with this footer.
  uint64_t NumBytes = 0;
  uint64_t Magic = PartEnd;
};

static_assert(sizeof(PartFooter) == 2 * 8);

} // namespace thermocline::format

#endif
