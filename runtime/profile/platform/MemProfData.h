//===- platform/MemProfData.h - Structures of LLVM's profile ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The segments and records of a raw profile are LLVM's, and LLVM's header
// defines them. It is included here alone, for who finds segments and who fills
// records.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_MEMPROFDATA_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_MEMPROFDATA_H

// Which needs these and does not include them.
#include <stdint.h>

#include "llvm/ProfileData/MemProfData.inc"

namespace thermocline::runtime {

using ::llvm::memprof::MemInfoBlock;
using ::llvm::memprof::SegmentEntry;

} // namespace thermocline::runtime

#endif
