//===- Target/AArch64.cpp - Accesses that only AArch64 has
//--------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Intrinsics.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;
using namespace thermocline::instrument;

/// The name without what all have in common; empty if it is another target's.
static StringRef nameOf(const IntrinsicInst &II) {
  StringRef Name = Intrinsic::getBaseName(II.getIntrinsicID());
  return Name.consume_front("llvm.aarch64.") ? Name : StringRef();
}

/// Whether \p Name is that of a structure access: ld2, ld3r, ld4lane, ld1x2.
static bool isStructure(StringRef Name, StringRef Beginning) {
  return Name.consume_front(Beginning) && !Name.empty() &&
         (Name.consume_front("1x") ? StringRef("234") : "234")
             .contains(Name.front());
}

std::optional<TargetAccess>
thermocline::instrument::aarch64::asAccess(IntrinsicInst &II) {
  StringRef Name = nameOf(II);
  if (II.arg_empty())
    return std::nullopt;
  // The pointer comes last, behind the vectors and the lane.
  Value *Last = II.getArgOperand(II.arg_size() - 1);
  if (isStructure(Name, "neon.ld"))
    return TargetAccess{Last, false};
  if (isStructure(Name, "neon.st"))
    return TargetAccess{Last, true};
  // Exclusive loads, which a store to the same address follows.
  if (Name == "ldxr" || Name == "ldaxr" || Name == "ldxp" || Name == "ldaxp")
    return TargetAccess{II.getArgOperand(0), true, /*IsAtomic=*/true};
  return std::nullopt;
}

std::optional<LaneAccess>
thermocline::instrument::aarch64::asLaneAccess(IntrinsicInst &II) {
  StringRef Name = nameOf(II);
  auto Contiguous = [&](bool IsWrite, Type *Vector, unsigned Mask) {
    return LaneAccess{LaneAccess::Layout::Contiguous, IsWrite,
                      /*IsCountedByLlvm=*/false,      Vector,
                      II.getArgOperand(Mask + 1),     II.getArgOperand(Mask)};
  };
  // (predicate, pointer) and (data, predicate, pointer).
  if (Name == "sve.ld1" || Name == "sve.ldnt1")
    return Contiguous(false, II.getType(), 0);
  if (Name == "sve.st1" || Name == "sve.stnt1")
    return Contiguous(true, II.getArgOperand(0)->getType(), 1);
  return std::nullopt;
}
