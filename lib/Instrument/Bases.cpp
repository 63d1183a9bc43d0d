//===- Instrument/Bases.cpp - The object of an address --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bases.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/WithCache.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace thermocline::instrument;

/// How far \p Arithmetic goes up by indices that are not known: UINT64_MAX if
/// that is not known either. \returns none if it may leave the object, or may
/// go down.
static std::optional<uint64_t> mostUpwards(const GEPOperator &Arithmetic,
                                           const DataLayout &Layout) {
  const Type *Pointer = Arithmetic.getPointerOperandType();
  if (!Arithmetic.isInBounds() || !Pointer->isPointerTy())
    return std::nullopt;
  const unsigned Width = Layout.getIndexTypeSizeInBits(Arithmetic.getType());
  SmallMapVector<Value *, APInt, 4> Unknown;
  APInt Known(Width, 0);
  if (!Arithmetic.collectOffset(Layout, Width, Unknown, Known) ||
      Known.isNegative())
    return std::nullopt;
  uint64_t Most = 0;
  for (const auto &[Index, Bytes] : Unknown) {
    const ConstantRange Range = computeConstantRangeIncludingKnownBits(
        Index, /*ForSigned=*/true, SimplifyQuery(Layout));
    const bool IsKnown = !Range.isEmptySet() && !Bytes.isNegative() &&
                         Range.getSignedMin().isNonNegative();
    if (!IsKnown && !Arithmetic.hasNoUnsignedWrap())
      return std::nullopt;
    const uint64_t Up =
        IsKnown ? SaturatingMultiply(Range.getSignedMax().getLimitedValue(),
                                     Bytes.getLimitedValue())
                : UINT64_MAX;
    Most = SaturatingAdd(Most, Up);
  }
  return Most;
}

Value *thermocline::instrument::cheapAddress(Value *Address, uint64_t Most) {
  // Each access of a long chain goes back so far only.
  constexpr unsigned MostSteps = 8;
  for (unsigned Step = 0; Step != MostSteps; ++Step) {
    auto *Arithmetic = dyn_cast<GEPOperator>(Address);
    const auto *I = dyn_cast<Instruction>(Address);
    if (!Arithmetic || !I || mayBeAnyPointer(*Arithmetic->getPointerOperand()))
      break;
    const auto Up = mostUpwards(*Arithmetic, I->getDataLayout());
    if (!Up || *Up > Most)
      break;
    if (Most != UINT64_MAX)
      Most -= *Up;
    Address = Arithmetic->getPointerOperand();
  }
  return Address;
}
