//===- Format/DataTypes.h - The types that calls allocate -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that is built to be profiled tells what type each of its calls
// allocates that allocate, in a section that is not loaded. An indexed profile
// keeps those of the functions that it has contexts of, in a part of its own
// (ProfileParts.h).
//
// In the section, each function is
//
//   head       a TypeTableFunction
//   calls      a TypeTableCall for each
//   names      of their types, one behind the other
//
// Zeros may stand between functions. The part of an indexed profile has
// DataTypes::encode(). All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_DATATYPES_H
#define THERMOCLINE_FORMAT_DATATYPES_H

#include <stdint.h>

namespace thermocline::format {

constexpr char TypeTableSection[] = ".thermocline.types";

constexpr uint32_t TypeTableMagic = 0x70797474; // "ttyp"
constexpr uint32_t TypeTableVersion = 1;

struct TypeTableFunction {
  uint32_t Magic = TypeTableMagic;
  uint32_t Version = TypeTableVersion;
  uint64_t Function = 0;
  uint64_t NumCalls = 0;
};

struct TypeTableCall {
  /// profile::TypedCall has the meaning of these.
  uint32_t Line = 0;
  uint32_t Column = 0;
  uint64_t Callee = 0;
  /// The length of the type's name; 0 if the call names no type.
  uint64_t NameBytes = 0;
};

static_assert(sizeof(TypeTableFunction) == 24);
static_assert(sizeof(TypeTableCall) == 24);

constexpr uint64_t TypePartVersion = 1;

} // namespace thermocline::format

#endif
