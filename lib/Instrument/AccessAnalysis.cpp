//===- Instrument/AccessAnalysis.cpp - Which accesses are counted ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/AccessAnalysis.h"
#include "LaneAccesses.h"
#include "Nowhere.h"
#include "Target/TargetIntrinsics.h"
#include "llvm/ADT/SmallPtrSet.h"
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

/// The most values to look at in order to see that an address is not the
/// heap's.
static constexpr unsigned MostObjects = 64;

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
  // that of the first. Where pointers meet again and again, each of them would
  // have to be looked through for each access: such are taken for the heap's.
  SmallVector<const Value *, 4> Worklist = {Address};
  SmallPtrSet<const Value *, 8> Seen;
  bool First = true;
  while (!Worklist.empty()) {
    const Value *Object =
        getUnderlyingObject(Worklist.pop_back_val(), /*MaxLookup=*/0);
    if (!Seen.insert(Object).second)
      continue;
    if (Seen.size() > MostObjects)
      return false;
    if (const auto *Select = dyn_cast<SelectInst>(Object)) {
      Worklist.push_back(Select->getTrueValue());
      Worklist.push_back(Select->getFalseValue());
      continue;
    }
    if (const auto *Phi = dyn_cast<PHINode>(Object)) {
      append_range(Worklist, Phi->incoming_values());
      continue;
    }
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
  if (auto *II = dyn_cast<IntrinsicInst>(&I))
    if (std::optional<TargetAccess> Found = asTargetAccess(*II))
      return Candidate{{&I, Found->Address}, Found->IsWrite};
  return std::nullopt;
}

static SkipReason reasonOf(const CallBase &Call) {
  const auto *II = dyn_cast<IntrinsicInst>(&Call);
  if (!II)
    return SkipReason::InlineAssembly;
  return Intrinsic::isTargetIntrinsic(II->getIntrinsicID())
             ? SkipReason::TargetIntrinsic
             : SkipReason::OtherIntrinsic;
}

/// Why what \p Call accesses, which nothing knows how to count, is left out;
/// none if it is a call of another function, or accesses nothing.
static std::optional<SkipReason> skipsUnknown(CallBase &Call) {
  std::optional<SkipReason> Reason;
  for (const Value *Pointer : accessedPointers(Call)) {
    SkipReason Outside;
    if (Pointer->getType()->isVectorTy() ||
        !AccessAnalysis::isOutsideHeap(Pointer, Outside))
      return reasonOf(Call);
    if (!Reason)
      Reason = Outside;
  }
  return Reason;
}

/// Whether no lane of \p Access is the heap's.
static bool skipsLanes(const LaneAccess &Access, SkipReason &Reason) {
  if (const Value *Base = Access.commonBase())
    return AccessAnalysis::isOutsideHeap(Base, Reason);
  Reason = SkipReason::AddressSpace;
  return Access.Address->getType()->getPointerAddressSpace() != 0;
}

/// Whether the runtime has nothing to count in \p MI. Another address space on
/// either side cannot be handed to the runtime.
static bool skipsRange(const AnyMemIntrinsic &MI, SkipReason &Reason) {
  bool DestOutside = AccessAnalysis::isOutsideHeap(MI.getRawDest(), Reason);
  if (DestOutside && Reason == SkipReason::AddressSpace)
    return true;
  const auto *Transfer = dyn_cast<AnyMemTransferInst>(&MI);
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

FunctionAccesses AccessAnalysis::analyze(Function &F) const {
  FunctionAccesses Result;
  Nowhere NoLane(F);
  auto Skip = [&](SkipReason Reason) {
    ++Result.Skipped[static_cast<unsigned>(Reason)];
  };
  auto Count = [&](bool IsWrite) {
    ++(IsWrite ? Result.Writes : Result.Reads);
  };
  for (Instruction &I : instructions(F)) {
    SkipReason Reason;
    if (auto *Range = dyn_cast<AnyMemIntrinsic>(&I)) {
      auto *MI = dyn_cast<MemIntrinsic>(Range);
      if (skipsRange(*Range, Reason))
        Skip(Reason);
      else if (!MI && Options.LikeLlvm)
        Skip(SkipReason::ElementAtomic);
      else if (MI && isCountedInline(*MI, Options.MostInlineBytes))
        addInlineRange(*MI, Result);
      else
        Result.Ranges.push_back(Range);
    } else if (std::optional<LaneAccess> Lanes = asLaneAccess(I)) {
      auto &II = cast<IntrinsicInst>(I);
      if (skipsLanes(*Lanes, Reason))
        Skip(Reason);
      else if (Options.LikeLlvm && !Lanes->IsCountedByLlvm)
        Skip(reasonOf(II) == SkipReason::TargetIntrinsic
                 ? SkipReason::TargetIntrinsic
                 : SkipReason::GatherScatter);
      else if (!addLaneUpdates(II, *Lanes, Options.LanesOneByOne, NoLane,
                               Result.Updates))
        Skip(SkipReason::ScalableGather);
      else
        Count(Lanes->IsWrite);
    } else if (std::optional<Candidate> Found = asAccess(I)) {
      if (isOutsideHeap(Found->Update.Address, Reason)) {
        Skip(Reason);
        continue;
      }
      if (Options.LikeLlvm && isa<IntrinsicInst>(I)) {
        Skip(SkipReason::TargetIntrinsic);
        continue;
      }
      Count(Found->IsWrite);
      Result.Updates.push_back(Found->Update);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      if (std::optional<SkipReason> Why = skipsUnknown(*Call))
        Skip(*Why);
    }
  }
  return Result;
}
