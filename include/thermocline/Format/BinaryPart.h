//===- Format/BinaryPart.h - Binaries of an indexed profile -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If an indexed profile was made of several binaries, one of its parts
// (ProfileParts.h) says which of them has what:
//
//   checksum   of the memory profile that it belongs to:
//              IndexedProfile::checksum() (u64)
//   number     of binaries (u64)
//   binaries   ascending by build id, for each: bytes of the build id, of the
//              name of the file, functions, contexts (u64 each); the build id;
//              the name; zeros up to the next multiple of 8; the GUIDs of the
//              functions that frames of contexts have in it, ascending (u64
//              each); the full stack ids of the contexts that were allocated in
//              it, ascending (u64 each)
//
// A function or context may be in several of them: functions that are inline in
// a header, or have the same name.
//
// Another part says of which architectures all binaries were:
//
//   number         of architectures (u64)
//   architectures  ascending by name, for each: bytes of the name (u64); the
//                  name that LLVM's triples have for it, such as "x86_64";
//                  zeros up to the next multiple of 8
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_BINARYPART_H
#define THERMOCLINE_FORMAT_BINARYPART_H

#include <stdint.h>

namespace thermocline::format {

constexpr uint64_t BinaryPartVersion = 1;
constexpr uint64_t ArchitecturePartVersion = 1;

} // namespace thermocline::format

#endif
