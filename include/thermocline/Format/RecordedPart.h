//===- Format/RecordedPart.h - Commands of an indexed profile ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// If it is known which commands an indexed profile is of, one of its parts
// (ProfileParts.h) says so:
//
//   number     of recordings (u64)
//   recordings ascending by time, then version, then command, for each: the
//              time at which the run ended, in seconds since 1970; bytes of the
//              version of Thermocline that recorded it, of the command (u64
//              each); the version; the command, as a shell takes it, in UTF-8;
//              zeros up to the next multiple of 8
//
// All numbers are little-endian.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_RECORDEDPART_H
#define THERMOCLINE_FORMAT_RECORDEDPART_H

#include <stdint.h>

namespace thermocline::format {

constexpr uint64_t RecordedPartVersion = 1;

} // namespace thermocline::format

#endif
