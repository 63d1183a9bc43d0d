//===- Target/TargetIntrinsics.h - A target's own accesses ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the accesses of intrinsics that only one target has, which clang makes
// of its headers' functions (_mm256_maskload_ps, _mm512_i32gather_epi32). Also
// says what any other intrinsic may access that cannot be counted.
//
// Problem: x86 alone has hundreds of intrinsics that access memory, and nothing
// in LLVM says where and how much. But their names follow a scheme, and those
// of one family take the same operands. So they are recognized by the
// beginnings of their names, by each target (Target.h). An intrinsic of no
// known family is reported, not forgotten.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETINTRINSICS_H
#define THERMOCLINE_LIB_INSTRUMENT_TARGET_TARGETINTRINSICS_H

#include "LaneAccess.h"
#include "TargetAccess.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class CallBase;
class IntrinsicInst;
} // namespace llvm

namespace thermocline::instrument {

/// How a target's own intrinsic accesses memory by lanes.
/// \returns nothing if \p II is none that does.
std::optional<LaneAccess> asTargetLaneAccess(llvm::IntrinsicInst &II);

/// The access of a target's own intrinsic that makes one.
/// \returns nothing if \p II is none that does.
std::optional<TargetAccess> asTargetAccess(llvm::IntrinsicInst &II);

/// Whether \p II is one of those above, and not atomic: LLVM does not say of
/// all of them that they come back, free nothing, and let no other thread go
/// on.
bool isMereTargetAccess(const llvm::IntrinsicInst &II);

/// The pointers through which \p Call, an intrinsic or inline assembly, may
/// read or write what it is given; vectors of pointers, too. None if it only
/// says something of memory, or it is not that kind of call.
llvm::SmallVector<llvm::Value *, 2> accessedPointers(llvm::CallBase &Call);

} // namespace thermocline::instrument

#endif
