//===- Instrument/LaneAccesses.h - Accesses by lanes ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the accesses of vectors that are accessed under a mask, where each
// active lane is an access: masked loads and stores, gathers, scatters,
// expanding loads, compressing stores, their forms with a vector length
// (llvm.vp.*), and intrinsics of targets that do the same (TargetIntrinsics.h).
//
// Lanes whose addresses are computed from one pointer are lanes of one object.
// They become one update of their number, at the first active lane, because a
// lane that is not active need not be in the object. If no lane is active, the
// update adds zero to a dummy counter. Lanes of several objects are an update
// each.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_LANEACCESSES_H
#define THERMOCLINE_LIB_INSTRUMENT_LANEACCESSES_H

#include "LaneAccess.h"
#include "thermocline/Instrument/Accesses.h"
#include <optional>

namespace llvm {
class IntrinsicInst;
} // namespace llvm

namespace thermocline::instrument {

class Nowhere;

/// \returns nothing if \p I does not access memory by lanes.
std::optional<LaneAccess> asLaneAccess(llvm::Instruction &I);

/// Adds to \p Updates what counts \p Access, which is what \p II does,
/// computing beside \p II which lanes are active. With \p OneByOne, lanes
/// of one object are an update each, too, unless they are packed.
/// \returns false if that is not possible, as the number of lanes is not known.
bool addLaneUpdates(llvm::IntrinsicInst &II, const LaneAccess &Access,
                    bool OneByOne, Nowhere &NoLane,
                    llvm::SmallVectorImpl<CounterUpdate> &Updates);

} // namespace thermocline::instrument

#endif
