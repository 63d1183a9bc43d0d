//===- Instrument/LaneAccesses.h - Accesses by lanes ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of a vector that is accessed under a mask each active lane is an access: of
// masked loads and stores, gathers, scatters, expanding loads, compressing
// stores, their forms with a vector length (llvm.vp.*), and what targets have
// of their own for the same (TargetIntrinsics.h).
//
// Lanes that are computed from one pointer are lanes of one object. They are
// one update of their number, at the first active lane: one that is not active
// need not be in the object. If none is active the update adds zero, nowhere.
// Lanes of several objects are an update each.
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
