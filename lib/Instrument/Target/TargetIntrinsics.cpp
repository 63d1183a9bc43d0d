//===- Target/TargetIntrinsics.cpp - A target's own accesses --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetIntrinsics.h"
#include "Target.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace thermocline::instrument;

std::optional<LaneAccess>
thermocline::instrument::asTargetLaneAccess(IntrinsicInst &II) {
  if (!Intrinsic::isTargetIntrinsic(II.getIntrinsicID()))
    return std::nullopt;
  for (const Target *Each : Targets)
    if (std::optional<LaneAccess> Access = Each->AsLaneAccess(II))
      return Access;
  return std::nullopt;
}

std::optional<TargetAccess>
thermocline::instrument::asTargetAccess(IntrinsicInst &II) {
  if (!Intrinsic::isTargetIntrinsic(II.getIntrinsicID()))
    return std::nullopt;
  for (const Target *Each : Targets)
    if (std::optional<TargetAccess> Access = Each->AsAccess(II))
      return Access;
  return std::nullopt;
}

bool thermocline::instrument::isMereTargetAccess(const IntrinsicInst &I) {
  auto &II = const_cast<IntrinsicInst &>(I);
  if (std::optional<TargetAccess> Access = asTargetAccess(II))
    return !Access->IsAtomic;
  return asTargetLaneAccess(II).has_value();
}

/// As Target::IsRemark, of all intrinsics.
static bool isRemark(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::prefetch:
  case Intrinsic::clear_cache:
  case Intrinsic::stackrestore:
    return true;
  default:
    return any_of(Targets,
                  [&](const Target *Each) { return Each->IsRemark(ID); });
  }
}

SmallVector<Value *, 2>
thermocline::instrument::accessedPointers(CallBase &Call) {
  const auto *II = dyn_cast<IntrinsicInst>(&Call);
  if (II ? isRemark(II->getIntrinsicID()) : !Call.isInlineAsm())
    return {};
  // What keeps a value from being optimized away is assembly without text.
  if (!II && cast<InlineAsm>(Call.getCalledOperand())->getAsmString().empty())
    return {};
  MemoryEffects Effects = Call.getMemoryEffects();
  if (Effects.getWithoutLoc(IRMemLocation::InaccessibleMem)
          .doesNotAccessMemory())
    return {};
  SmallVector<Value *, 2> Result;
  for (Use &Argument : Call.args())
    if (Argument->getType()->isPtrOrPtrVectorTy() &&
        !Call.paramHasAttr(Argument.getOperandNo(), Attribute::ReadNone))
      Result.push_back(Argument);
  return Result;
}
