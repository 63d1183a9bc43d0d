//===- Instrument/UpdatePlan.h - What became of counter updates -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_UPDATEPLAN_H
#define THERMOCLINE_INSTRUMENT_UPDATEPLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ValueHandle.h"
#include <cstdint>

namespace llvm {
class AllocaInst;
} // namespace llvm

namespace thermocline::instrument {

/// What became of a function's updates. Each update of the access analysis is
/// counted once, by the first that happened to it.
struct PlanStatistics {
  /// Went into another update of the same block, or of a block that executes
  /// equally often.
  uint64_t MergedInBlock = 0, MergedAcrossBlocks = 0;
  /// Done in front of a loop with its trip count, or counted in a register.
  uint64_t Hoisted = 0, InRegister = 0;
  /// Counted by later updates, which may not always come, or which know the
  /// object by another name.
  uint64_t Sunk = 0;
  /// Stayed in a loop, for one of these reasons: the object changes with the
  /// iterations; the loop calls something that may not return; something may
  /// free the object or let another thread free it; the form of the loop is not
  /// simple; or the loop uses all registers that it may have.
  uint64_t LeftChangingObject = 0, LeftNoReturn = 0, LeftEndOfLife = 0,
           LeftForm = 0, LeftRegisters = 0;

  void add(const PlanStatistics &Other);
};

/// What is left to do once the updates are emitted, and what was done.
struct UpdatePlan {
  PlanStatistics Statistics;
  /// Registers that count in loops; on the stack until they are promoted.
  llvm::SmallVector<llvm::AllocaInst *, 8> Registers;
  /// Sums of the values of these registers and of constants.
  llvm::SmallVector<llvm::WeakTrackingVH, 8> Sums;

  /// To be called when all updates are emitted.
  void promoteRegisters() const;
};

} // namespace thermocline::instrument

#endif
