//===- Target/TargetIntrinsics.cpp - A target's own accesses --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetIntrinsics.h"
#include "Intrinsics.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace thermocline::instrument;

std::optional<LaneAccess>
thermocline::instrument::asTargetLaneAccess(IntrinsicInst &II) {
  if (!Intrinsic::isTargetIntrinsic(II.getIntrinsicID()))
    return std::nullopt;
  auto Access = x86::asLaneAccess(II);
  return Access ? Access : aarch64::asLaneAccess(II);
}

std::optional<TargetAccess>
thermocline::instrument::asTargetAccess(IntrinsicInst &II) {
  if (!Intrinsic::isTargetIntrinsic(II.getIntrinsicID()))
    return std::nullopt;
  auto Access = x86::asAccess(II);
  return Access ? Access : aarch64::asAccess(II);
}

bool thermocline::instrument::isMereTargetAccess(const IntrinsicInst &Of) {
  auto &II = const_cast<IntrinsicInst &>(Of);
  if (std::optional<TargetAccess> Access = asTargetAccess(II))
    return !Access->IsAtomic;
  return asTargetLaneAccess(II).has_value();
}

/// Whether \p ID says or asks something of memory, or of the processor's
/// caches, and neither reads nor writes what is there.
static bool isRemark(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::prefetch:
  case Intrinsic::clear_cache:
  case Intrinsic::stackrestore:
  case Intrinsic::x86_sse2_clflush:
  case Intrinsic::x86_clflushopt:
  case Intrinsic::x86_clwb:
  case Intrinsic::x86_cldemote:
  case Intrinsic::x86_prefetchrs:
  case Intrinsic::x86_sse3_monitor:
  case Intrinsic::x86_monitorx:
  case Intrinsic::x86_umonitor:
  // Counted with the load by which the exclusive access begins: an update
  // between the two could make each store fail.
  case Intrinsic::aarch64_stxr:
  case Intrinsic::aarch64_stlxr:
  case Intrinsic::aarch64_stxp:
  case Intrinsic::aarch64_stlxp:
    return true;
  default:
    return false;
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
