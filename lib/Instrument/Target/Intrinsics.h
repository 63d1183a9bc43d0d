//===- Target/Intrinsics.h - Accesses of each target ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What TargetIntrinsics.h says of all targets, for one each. A target without
// functions here has all its own accesses reported as not counted.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_TARGET_INTRINSICS_H
#define THERMOCLINE_LIB_INSTRUMENT_TARGET_INTRINSICS_H

#include "LaneAccess.h"
#include "TargetAccess.h"
#include <optional>

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace thermocline::instrument {

namespace x86 {
std::optional<LaneAccess> asLaneAccess(llvm::IntrinsicInst &II);
std::optional<TargetAccess> asAccess(llvm::IntrinsicInst &II);
} // namespace x86

namespace aarch64 {
std::optional<LaneAccess> asLaneAccess(llvm::IntrinsicInst &II);
std::optional<TargetAccess> asAccess(llvm::IntrinsicInst &II);
} // namespace aarch64

} // namespace thermocline::instrument

#endif
