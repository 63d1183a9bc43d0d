//===- Instrument/AccessAnalysis.cpp - Which accesses are counted ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/AccessAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace thermocline::instrument;

StringRef thermocline::instrument::toString(SkipReason Reason) {
  switch (Reason) {
  case SkipReason::Stack:
    return "stack";
  case SkipReason::Global:
    return "global";
  case SkipReason::VirtualTable:
    return "virtual table";
  case SkipReason::AddressSpace:
    return "address space";
  case SkipReason::SwiftError:
    return "swifterror";
  case SkipReason::ProfileCounter:
    return "profile counter";
  case SkipReason::GatherScatter:
    return "gather or scatter";
  case SkipReason::ElementAtomic:
    return "element-wise atomic";
  case SkipReason::ScalableMask:
    return "scalable mask";
  }
  llvm_unreachable("unknown reason");
}

/// The kind of non-heap memory that the object \p V is, if it is.
static std::optional<SkipReason> outsideHeap(const Value *V) {
  if (isa<AllocaInst>(V))
    return SkipReason::Stack;
  if (const auto *A = dyn_cast<Argument>(V); A && A->hasByValAttr())
    return SkipReason::Stack;
  if (const auto *II = dyn_cast<IntrinsicInst>(V);
      II && II->getIntrinsicID() == Intrinsic::threadlocal_address)
    return SkipReason::Global;
  // What a virtual table pointer points to is a constant.
  if (const auto *Load = dyn_cast<LoadInst>(V))
    if (const MDNode *Tag = Load->getMetadata(LLVMContext::MD_tbaa);
        Tag && Tag->isTBAAVtableAccess())
      return SkipReason::VirtualTable;
  const auto *GV = dyn_cast<GlobalVariable>(V);
  if (!GV)
    return std::nullopt;
  if (GV->getName().starts_with("__llvm"))
    return SkipReason::ProfileCounter;
  std::string Counters = getInstrProfSectionName(
      IPSK_cnts, GV->getParent()->getTargetTriple().getObjectFormat(),
      /*AddSegmentInfo=*/false);
  if (GV->hasSection() && GV->getSection().ends_with(Counters))
    return SkipReason::ProfileCounter;
  return SkipReason::Global;
}

bool AccessAnalysis::isOutsideHeap(const Value *Address, SkipReason &Reason) {
  if (Address->getType()->getPointerAddressSpace() != 0) {
    Reason = SkipReason::AddressSpace;
    return true;
  }
  if (Address->isSwiftError()) {
    Reason = SkipReason::SwiftError;
    return true;
  }
  // An address may come from several objects; the reason that is reported is
  // that of the first.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Address, Objects, /*LI=*/nullptr, /*MaxLookup=*/0);
  bool First = true;
  for (const Value *Object : Objects) {
    std::optional<SkipReason> Found = outsideHeap(Object);
    if (!Found)
      return false;
    if (First)
      Reason = *Found;
    First = false;
  }
  return !First;
}

namespace {

/// The access that an instruction is, before it is judged.
struct Candidate {
  CounterUpdate Update;
  bool IsWrite;
};

} // namespace

static std::optional<Candidate> asAccess(Instruction &I) {
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return Candidate{{&I, Load->getPointerOperand()}, false};
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Candidate{{&I, Store->getPointerOperand()}, true};
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return Candidate{{&I, RMW->getPointerOperand()}, true};
  if (auto *CmpXchg = dyn_cast<AtomicCmpXchgInst>(&I))
    return Candidate{{&I, CmpXchg->getPointerOperand()}, true};
  return std::nullopt;
}

/// Masked loads and stores: the pointer, mask and value are found by type, as
/// their positions differ between the two.
static std::optional<Candidate> asMaskedAccess(IntrinsicInst &II) {
  bool IsWrite = II.getIntrinsicID() == Intrinsic::masked_store;
  if (!IsWrite && II.getIntrinsicID() != Intrinsic::masked_load)
    return std::nullopt;
  Type *Accessed = IsWrite ? II.getArgOperand(0)->getType() : II.getType();
  Value *Pointer = nullptr, *Mask = nullptr;
  for (unsigned Index = IsWrite ? 1 : 0; Index != II.arg_size(); ++Index) {
    Value *Operand = II.getArgOperand(Index);
    if (!Pointer && Operand->getType()->isPointerTy())
      Pointer = Operand;
    else if (!Mask && Operand->getType()->isVectorTy())
      Mask = Operand;
  }
  return Candidate{{&II, Pointer, 1, dyn_cast<FixedVectorType>(Accessed), Mask},
                   IsWrite};
}

static std::optional<SkipReason> uncountedIntrinsic(const IntrinsicInst &II) {
  switch (II.getIntrinsicID()) {
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore:
  case Intrinsic::vp_load:
  case Intrinsic::vp_store:
  case Intrinsic::vp_gather:
  case Intrinsic::vp_scatter:
    return SkipReason::GatherScatter;
  case Intrinsic::memcpy_element_unordered_atomic:
  case Intrinsic::memmove_element_unordered_atomic:
  case Intrinsic::memset_element_unordered_atomic:
    return SkipReason::ElementAtomic;
  default:
    return std::nullopt;
  }
}

/// Whether the runtime has nothing to count in \p MI. Another address space on
/// either side cannot be handed to the runtime.
static bool skipsRange(const MemIntrinsic &MI, SkipReason &Reason) {
  bool DestOutside = AccessAnalysis::isOutsideHeap(MI.getRawDest(), Reason);
  if (DestOutside && Reason == SkipReason::AddressSpace)
    return true;
  const auto *Transfer = dyn_cast<MemTransferInst>(&MI);
  if (!Transfer)
    return DestOutside;
  SkipReason SourceReason;
  bool SourceOutside =
      AccessAnalysis::isOutsideHeap(Transfer->getRawSource(), SourceReason);
  if (SourceOutside && SourceReason == SkipReason::AddressSpace) {
    Reason = SourceReason;
    return true;
  }
  return DestOutside && SourceOutside;
}

/// Whether \p MI can be made inline and is worth it. A move between ranges that
/// overlap has no inline form.
static bool isCountedInline(const MemIntrinsic &MI, uint64_t MostInlineBytes) {
  const auto *Bytes = dyn_cast<ConstantInt>(MI.getLength());
  return Bytes && !isa<MemMoveInst>(MI) &&
         Bytes->getValue().ule(MostInlineBytes);
}

/// Counts the ranges of \p MI as the runtime does: one access for each 8 bytes,
/// the last ones need not be 8. All are accesses of one object.
static void addInlineRange(MemIntrinsic &MI, FunctionAccesses &Result) {
  const auto *Bytes = cast<ConstantInt>(MI.getLength());
  uint64_t Accesses = divideCeil(Bytes->getZExtValue(), 8);
  auto Add = [&](Value *Address) {
    SkipReason Reason;
    if (Accesses != 0 && !AccessAnalysis::isOutsideHeap(Address, Reason))
      Result.Updates.push_back({&MI, Address, Accesses});
  };
  if (auto *Transfer = dyn_cast<MemTransferInst>(&MI))
    Add(Transfer->getRawSource());
  Add(MI.getRawDest());
  Result.InlineRanges.push_back(&MI);
}

FunctionAccesses AccessAnalysis::analyze(Function &F,
                                         uint64_t MostInlineBytes) const {
  FunctionAccesses Result;
  auto Skip = [&](SkipReason Reason) {
    ++Result.Skipped[static_cast<unsigned>(Reason)];
  };
  for (Instruction &I : instructions(F)) {
    SkipReason Reason;
    if (auto *MI = dyn_cast<MemIntrinsic>(&I)) {
      if (skipsRange(*MI, Reason))
        Skip(Reason);
      else if (isCountedInline(*MI, MostInlineBytes))
        addInlineRange(*MI, Result);
      else
        Result.Ranges.push_back(MI);
      continue;
    }
    std::optional<Candidate> Found = asAccess(I);
    if (auto *II = dyn_cast<IntrinsicInst>(&I)) {
      if (std::optional<SkipReason> Uncounted = uncountedIntrinsic(*II)) {
        Skip(*Uncounted);
        continue;
      }
      Found = asMaskedAccess(*II);
    }
    if (!Found)
      continue;
    if (isOutsideHeap(Found->Update.Address, Reason))
      Skip(Reason);
    else if (Found->Update.Mask && !Found->Update.Lanes)
      Skip(SkipReason::ScalableMask);
    else {
      ++(Found->IsWrite ? Result.Writes : Result.Reads);
      Result.Updates.push_back(Found->Update);
    }
  }
  return Result;
}
