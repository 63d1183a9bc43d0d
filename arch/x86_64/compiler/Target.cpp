//===- x86_64/compiler/Target.cpp - Code for AMD64 ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Target/Target.h"
#include "x86_64/AddressLayout.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace thermocline::instrument;
using Layout = LaneAccess::Layout;
using MaskForm = LaneAccess::MaskForm;

namespace {

/// Intrinsics that take the same operands.
enum class Family {
  None,
  /// (pointer, mask)
  MaskedLoad,
  /// (pointer, mask, data)
  MaskedStore,
  /// (data, mask, pointer)
  ByteStore,
  /// (data where a lane is not active, pointer, indices, mask, scale)
  Gather,
  /// (pointer, mask, indices, data, scale)
  Scatter,
  /// (pointer, data, mask): elements are made narrower on the way.
  NarrowingStore,
  /// (pointer ...)
  Read,
  Write,
  /// Reads, writes, and may let another thread go on.
  Atomic,
};

} // namespace

static Family familyOf(const IntrinsicInst &II) {
  StringRef Name = Intrinsic::getBaseName(II.getIntrinsicID());
  if (!Name.consume_front("llvm.x86."))
    return Family::None;
  auto IsOneOf = [&](ArrayRef<StringRef> Beginnings) {
    return any_of(Beginnings, [&](StringRef Beginning) {
      return Name.starts_with(Beginning);
    });
  };
  if (IsOneOf({"avx.maskload.", "avx2.maskload."}))
    return Family::MaskedLoad;
  if (IsOneOf({"avx.maskstore.", "avx2.maskstore."}))
    return Family::MaskedStore;
  if (Name == "sse2.maskmov.dqu")
    return Family::ByteStore;
  if (IsOneOf({"avx2.gather.", "avx512.gather", "avx512.mask.gather"}))
    return Family::Gather;
  if (IsOneOf({"avx512.scatter", "avx512.mask.scatter"}))
    return Family::Scatter;
  if (Name.starts_with("avx512.mask.pmov") && Name.contains(".mem."))
    return Family::NarrowingStore;
  if (II.arg_empty() || !II.getArgOperand(0)->getType()->isPointerTy())
    return Family::None;
  if (IsOneOf({"sse3.ldu.", "avx.ldu.", "sse.ldmxcsr", "movrs", "avx10.vmovrs",
               "vbcstne", "vcvtneeb", "vcvtneeph", "vcvtneob", "vcvtneoph"}))
    return Family::Read;
  if (IsOneOf({"sse.stmxcsr", "mmx.movnt.", "directstore"}))
    return Family::Write;
  if (IsOneOf({"aadd", "aand", "aor", "axor", "cmpccxadd"}))
    return Family::Atomic;
  return Family::None;
}

/// Elements of the type of those of \p Like, as many as \p A and \p B both
/// have.
static VectorType *lanesOf(const Type *Like, const Value *A, const Value *B) {
  auto Size = [](const Value *V) {
    return cast<FixedVectorType>(V->getType())->getNumElements();
  };
  return FixedVectorType::get(Like->getScalarType(),
                              std::min(Size(A), Size(B)));
}

/// \p Bits of them are the elements in memory.
static LaneAccess asNarrowingStore(IntrinsicInst &II, unsigned Bits) {
  Value *Wide = II.getArgOperand(1);
  LaneAccess Access{Layout::Contiguous,
                    true,
                    false,
                    lanesOf(Type::getIntNTy(II.getContext(), Bits), Wide, Wide),
                    II.getArgOperand(0),
                    II.getArgOperand(2)};
  Access.Form = MaskForm::Integer;
  return Access;
}

/// The name goes on with the widths before and after, "qb" for 64 and 8 bits.
static unsigned narrowBits(const IntrinsicInst &II) {
  StringRef Name = Intrinsic::getBaseName(II.getIntrinsicID());
  const char After = Name[Name.find(".mem.") - 1];
  return After == 'b' ? 8 : After == 'w' ? 16 : 32;
}

/// Gathers and scatters, of which \p Data is the vector in registers.
static LaneAccess asIndexed(IntrinsicInst &II, Value *Data, unsigned Address,
                            unsigned Index, unsigned Mask) {
  const bool IsWrite = Data != &II;
  LaneAccess Access{Layout::Indexed,
                    IsWrite,
                    false,
                    lanesOf(Data->getType(), Data, II.getArgOperand(Index)),
                    II.getArgOperand(Address),
                    II.getArgOperand(Mask)};
  Access.Index = II.getArgOperand(Index);
  Access.Scale = cast<ConstantInt>(II.getArgOperand(4))->getZExtValue();
  const Type *MaskTy = Access.Mask->getType();
  Access.Form = !MaskTy->isVectorTy()                ? MaskForm::Integer
                : MaskTy->getScalarSizeInBits() == 1 ? MaskForm::Booleans
                                                     : MaskForm::HighestBits;
  return Access;
}

static std::optional<LaneAccess> asLaneAccess(IntrinsicInst &II) {
  auto WithHighestBits = [&](bool IsWrite, Type *Vector, unsigned Address) {
    LaneAccess Access{
        Layout::Contiguous, IsWrite, false, Vector, II.getArgOperand(Address),
        II.getArgOperand(1)};
    Access.Form = MaskForm::HighestBits;
    return Access;
  };
  switch (familyOf(II)) {
  case Family::MaskedLoad:
    return WithHighestBits(false, II.getType(), 0);
  case Family::MaskedStore:
    return WithHighestBits(true, II.getArgOperand(2)->getType(), 0);
  case Family::ByteStore:
    return WithHighestBits(true, II.getArgOperand(0)->getType(), 2);
  case Family::Gather:
    return asIndexed(II, &II, 1, 2, 3);
  case Family::Scatter:
    return asIndexed(II, II.getArgOperand(3), 0, 2, 1);
  case Family::NarrowingStore:
    return asNarrowingStore(II, narrowBits(II));
  case Family::None:
  case Family::Read:
  case Family::Write:
  case Family::Atomic:
    return std::nullopt;
  }
  llvm_unreachable("unknown family");
}

static std::optional<TargetAccess> asAccess(IntrinsicInst &II) {
  switch (familyOf(II)) {
  case Family::Read:
    return TargetAccess{II.getArgOperand(0), false};
  case Family::Write:
    return TargetAccess{II.getArgOperand(0), true};
  case Family::Atomic:
    return TargetAccess{II.getArgOperand(0), true, /*IsAtomic=*/true};
  default:
    return std::nullopt;
  }
}

static bool isRemark(Intrinsic::ID ID) {
  switch (ID) {
  case Intrinsic::x86_sse2_clflush:
  case Intrinsic::x86_clflushopt:
  case Intrinsic::x86_clwb:
  case Intrinsic::x86_cldemote:
  case Intrinsic::x86_prefetchrs:
  case Intrinsic::x86_sse3_monitor:
  case Intrinsic::x86_monitorx:
  case Intrinsic::x86_umonitor:
    return true;
  default:
    return false;
  }
}

const Target thermocline::instrument::x86_64::Port = {
    Triple::x86_64,
    {thermocline::x86_64::Layout, /*TestsAgainstMemory=*/true,
     /*CopiesVariables=*/true},
    asLaneAccess,
    asAccess,
    isRemark};
