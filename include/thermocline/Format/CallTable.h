//===- Format/CallTable.h - The calls that the source has -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is built to be profiled tells which calls each function of
// its source has, in a section that is not loaded. An indexed profile keeps
// those of the functions that it has contexts of, in a part of its own
// (ProfileParts.h). By them, contexts are found again in source that has
// changed since.
//
// In the section, each function is
//
//   head       a CallTableFunction
//   payload    profile::encode(); then zeros up to the next multiple of 4
//
// More zeros may stand between functions. The part of an indexed profile has
// CallTable::encode(). All numbers are little-endian.
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
constexpr uint32_t CallTableVersion = 6;
constexpr uint64_t CallTableAlignment = 4;

struct CallTableFunction {
  uint32_t Magic = CallTableMagic;
  uint32_t Version = CallTableVersion;
  uint32_t NumBytes = 0;
};

static_assert(sizeof(CallTableFunction) == 12);

constexpr uint64_t CallPartVersion = 6;

} // namespace thermocline::format

#endif
