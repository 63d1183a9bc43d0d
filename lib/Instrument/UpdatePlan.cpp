//===- Instrument/UpdatePlan.cpp - What became of counter updates ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/UpdatePlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;
using namespace thermocline::instrument;

void PlanStatistics::add(const PlanStatistics &Other) {
  MergedInBlock += Other.MergedInBlock;
  MergedAcrossBlocks += Other.MergedAcrossBlocks;
  Hoisted += Other.Hoisted;
  InRegister += Other.InRegister;
  Sunk += Other.Sunk;
  LeftChangingObject += Other.LeftChangingObject;
  LeftNoReturn += Other.LeftNoReturn;
  LeftEndOfLife += Other.LeftEndOfLife;
  LeftForm += Other.LeftForm;
  LeftRegisters += Other.LeftRegisters;
}

/// If \p V is a phi of constants that only one instruction uses, that phi.
static PHINode *asPhiOfConstants(Value *V) {
  auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phi->hasOneUse() &&
                 all_of(Phi->incoming_values(),
                        [](const Use &U) { return isa<ConstantInt>(U); })
             ? Phi
             : nullptr;
}

/// What \p Sum is if it can be said without adding: most of what waits in
/// registers are small numbers, which are known where they meet.
static Value *simplify(BinaryOperator &Sum) {
  Value *Left = Sum.getOperand(0), *Right = Sum.getOperand(1);
  if (match(Left, PatternMatch::m_Zero()))
    return Right;
  if (match(Right, PatternMatch::m_Zero()))
    return Left;
  auto *LeftConstant = dyn_cast<ConstantInt>(Left);
  auto *RightConstant = dyn_cast<ConstantInt>(Right);
  if (LeftConstant && RightConstant)
    return ConstantExpr::getAdd(LeftConstant, RightConstant);
  PHINode *LeftPhi = asPhiOfConstants(Left);
  PHINode *RightPhi = asPhiOfConstants(Right);
  if (!LeftPhi)
    return nullptr;
  if (!RightConstant &&
      (!RightPhi || RightPhi->getParent() != LeftPhi->getParent()))
    return nullptr;
  for (unsigned I = 0; I != LeftPhi->getNumIncomingValues(); ++I) {
    auto *Other = RightConstant
                      ? RightConstant
                      : cast<Constant>(RightPhi->getIncomingValueForBlock(
                            LeftPhi->getIncomingBlock(I)));
    LeftPhi->setIncomingValue(
        I, ConstantExpr::getAdd(cast<Constant>(LeftPhi->getIncomingValue(I)),
                                Other));
  }
  if (Value *Same = LeftPhi->hasConstantValue())
    return Same;
  return LeftPhi;
}

void UpdatePlan::promoteRegisters() const {
  // A register is of one loop, or of a few blocks. Searching back from where it
  // is read does not leave these; promoting it like an alloca of the program
  // looks at the whole function.
  for (AllocaInst *Register : Registers) {
    SmallVector<Instruction *, 8> Accesses;
    for (User *Access : Register->users())
      Accesses.push_back(cast<Instruction>(Access));
    SSAUpdater Values;
    LoadAndStorePromoter(Accesses, Values, Register->getName()).run(Accesses);
    Register->eraseFromParent();
  }
  for (const WeakTrackingVH &Sum : Sums)
    if (auto *Adds = dyn_cast_or_null<BinaryOperator>(Sum))
      if (Value *Simple = simplify(*Adds)) {
        Adds->replaceAllUsesWith(Simple);
        RecursivelyDeleteTriviallyDeadInstructions(Adds);
      }
}
