//===- Instrument/Barriers.h - What updates do not move across --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_INSTRUMENT_BARRIERS_H
#define THERMOCLINE_LIB_INSTRUMENT_BARRIERS_H

#include "Target/TargetIntrinsics.h"
#include "thermocline/Instrument/Accesses.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"

namespace thermocline::instrument {

/// Whether \p I accesses memory and does nothing else, though LLVM does not say
/// so.
inline bool isMereAccess(const llvm::Instruction &I) {
  const auto *II = llvm::dyn_cast<llvm::IntrinsicInst>(&I);
  return II && isMereTargetAccess(*II);
}

/// Whether what follows \p I may not happen: it may exit, throw, or jump away.
/// Terminators that go on in this function come back, and so do volatile stores
/// in a process that is not a kernel.
inline bool mayNotComeBack(const llvm::Instruction &I) {
  return !llvm::isa<llvm::StoreInst>(I) &&
         !llvm::isGuaranteedToTransferExecutionToSuccessor(&I) &&
         !isMereAccess(I);
}

/// Whether an object may be gone after \p I that was there before: freed by it,
/// or by another thread that it let go on. What only reads lets nobody go on:
/// an atomic access that is ordered counts as a write.
inline bool mayEndLife(const llvm::Instruction &I) {
  const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  if (!Call)
    return I.isAtomic();
  if (llvm::isa<llvm::MemIntrinsic>(Call))
    return false;
  return !Call->onlyReadsMemory() &&
         !(Call->hasFnAttr(llvm::Attribute::NoFree) &&
           Call->hasFnAttr(llvm::Attribute::NoSync)) &&
         !isMereAccess(I);
}

} // namespace thermocline::instrument

#endif
