//===- aarch64/compiler/Target.cpp - Code for AArch64 ---------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/Target.h"
#include "aarch64/AddressLayout.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAArch64.h"

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

static std::optional<TargetAccess> asAccess(IntrinsicInst &II) {
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

static std::optional<LaneAccess> asLaneAccess(IntrinsicInst &II) {
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

/// Counted with the load by which the exclusive access begins: an update
/// between the two could make each store fail.
static bool isRemark(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::aarch64_stxr:
  case Intrinsic::aarch64_stlxr:
  case Intrinsic::aarch64_stxp:
  case Intrinsic::aarch64_stlxp:
    return true;
  default:
    return false;
  }
}

const Target thermocline::instrument::aarch64::Port = {
    Triple::aarch64,
    {thermocline::aarch64::Layout, /*TestsAgainstMemory=*/false,
     /*CopiesVariables=*/false},
    asLaneAccess,
    asAccess,
    isRemark};
