//===- Instrument/LaneAccess.cpp - An access by the lanes of a vector -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneAccess.h"
#include "Bases.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace thermocline::instrument;

Value *LaneAccess::commonBase() const {
  if (Place != Layout::Gathered)
    return Address;
  Value *Base = Address;
  while (auto *Arithmetic = dyn_cast<GEPOperator>(Base))
    Base = Arithmetic->getPointerOperand();
  return Base->getType()->isVectorTy() ? getSplatValue(Base) : Base;
}

Value *LaneAccess::commonObject() const {
  if (Place != Layout::Gathered && Place != Layout::Indexed)
    return Address;
  Value *Base = commonBase();
  // Indices of the width of an address may be addresses, whatever they are
  // added to.
  const bool MayLeave = Index && Index->getType()->getScalarSizeInBits() >= 64;
  return Base && !MayLeave && !mayBeAnyPointer(*Base) ? Base : nullptr;
}
