//===- Instrument/LaneAccesses.cpp - Accesses by lanes --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"
#include "Nowhere.h"
#include "Target/TargetIntrinsics.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace thermocline::instrument;
using Layout = LaneAccess::Layout;
using MaskForm = LaneAccess::MaskForm;

std::optional<LaneAccess>
thermocline::instrument::asLaneAccess(Instruction &I) {
  if (!isa<IntrinsicInst>(I))
    return std::nullopt;
  auto &II = cast<IntrinsicInst>(I);
  auto Read = [&](Layout Place, bool IsCountedByLlvm) {
    return LaneAccess{Place,
                      false,
                      IsCountedByLlvm,
                      II.getType(),
                      II.getArgOperand(0),
                      II.getArgOperand(1)};
  };
  auto Write = [&](Layout Place, bool IsCountedByLlvm) {
    return LaneAccess{Place,
                      true,
                      IsCountedByLlvm,
                      II.getArgOperand(0)->getType(),
                      II.getArgOperand(1),
                      II.getArgOperand(2)};
  };
  auto WithLength = [&](Layout Place) {
    auto &VP = cast<VPIntrinsic>(II);
    Value *Data = VP.getMemoryDataParam();
    return LaneAccess{Place,
                      Data != nullptr,
                      false,
                      Data ? Data->getType() : II.getType(),
                      VP.getMemoryPointerParam(),
                      VP.getMaskParam(),
                      VP.getVectorLengthParam()};
  };
  switch (II.getIntrinsicID()) {
  case Intrinsic::masked_load:
    return Read(Layout::Contiguous, true);
  case Intrinsic::masked_store:
    return Write(Layout::Contiguous, true);
  case Intrinsic::masked_expandload:
    return Read(Layout::Packed, false);
  case Intrinsic::masked_compressstore:
    return Write(Layout::Packed, false);
  case Intrinsic::masked_gather:
    return Read(Layout::Gathered, false);
  case Intrinsic::masked_scatter:
    return Write(Layout::Gathered, false);
  case Intrinsic::vp_load:
  case Intrinsic::vp_store:
    return WithLength(Layout::Contiguous);
  case Intrinsic::vp_load_ff: {
    LaneAccess Access = Read(Layout::Contiguous, false);
    Access.Vector = II.getType()->getStructElementType(0);
    Access.IsLengthFound = true;
    return Access;
  }
  case Intrinsic::vp_gather:
  case Intrinsic::vp_scatter:
    return WithLength(Layout::Gathered);
  case Intrinsic::experimental_vp_strided_load:
  case Intrinsic::experimental_vp_strided_store: {
    LaneAccess Access = WithLength(Layout::Strided);
    Access.Stride = II.getArgOperand(Access.IsWrite ? 2 : 1);
    return Access;
  }
  default:
    return asTargetLaneAccess(II);
  }
}

namespace {

/// Computes what the updates of an access need: in front of it, or behind it if
/// it has to be asked.
class LaneBuilder {
public:
  LaneBuilder(IntrinsicInst &II, const LaneAccess &Access)
      : Access(Access), Builder(Access.IsLengthFound ? II.getNextNode() : &II),
        Lanes(cast<VectorType>(Access.Vector)->getElementCount()),
        Active(makeMask()) {
    Value *Length = Access.IsLengthFound ? Builder.CreateExtractValue(&II, 1)
                                         : Access.Length;
    if (!Length)
      return;
    Active = Builder.CreateAnd(
        Active,
        Builder.CreateICmpULT(
            Builder.CreateStepVector(VectorType::get(Length->getType(), Lanes)),
            Builder.CreateVectorSplat(Lanes, Length)));
  }

  /// What updates are to be put in front of.
  Instruction *place() { return &*Builder.GetInsertPoint(); }

  bool isScalable() const { return Lanes.isScalable(); }
  unsigned size() const { return Lanes.getFixedValue(); }

  /// Whether \p Lane is active, an i1.
  Value *isActive(uint64_t Lane) {
    return Builder.CreateExtractElement(Active, Lane);
  }

  /// The lanes that are known to be active, if all are known. An unknown
  /// element of a constant may be active.
  std::optional<SmallVector<unsigned>> known() const {
    const auto *Constants = dyn_cast<Constant>(Active);
    if (!Constants || isScalable())
      return std::nullopt;
    SmallVector<unsigned> Result;
    for (unsigned Lane = 0; Lane != size(); ++Lane) {
      const Constant *Element = Constants->getAggregateElement(Lane);
      if (!Element || (!isa<ConstantInt>(Element) && !isa<UndefValue>(Element)))
        return std::nullopt;
      if (!Element->isNullValue())
        Result.push_back(Lane);
    }
    return Result;
  }

  /// How many are active and which is the first; that is of no meaning if none
  /// is.
  std::pair<Value *, Value *> countAndFirst() {
    Type *Int64 = Builder.getInt64Ty();
    if (isScalable())
      return {Builder.CreateAddReduce(
                  Builder.CreateZExt(Active, VectorType::get(Int64, Lanes))),
              Builder.CreateCountTrailingZeroElems(Int64, Active)};
    Value *Bits = Builder.CreateBitCast(Active, Builder.getIntNTy(size()));
    // Wide enough for its number of bits.
    if (size() < 8)
      Bits = Builder.CreateZExt(Bits, Builder.getInt8Ty());
    Value *Count = Builder.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits);
    Value *First =
        Builder.CreateBinaryIntrinsic(Intrinsic::cttz, Bits, Builder.getTrue());
    return {Builder.CreateZExtOrTrunc(Count, Int64),
            Builder.CreateZExtOrTrunc(First, Int64)};
  }

  Value *addressOf(Value *Lane) {
    switch (Access.Place) {
    case Layout::Packed:
      return Access.Address;
    case Layout::Contiguous:
      if (match0(Lane))
        return Access.Address;
      // Bits are packed.
      if (Access.Vector->getScalarSizeInBits() % 8 != 0)
        return Access.Address;
      return Builder.CreateGEP(Access.Vector->getScalarType(), Access.Address,
                               Lane);
    case Layout::Strided:
      return Builder.CreatePtrAdd(
          Access.Address,
          Builder.CreateMul(Lane, Builder.CreateSExtOrTrunc(
                                      Access.Stride, Builder.getInt64Ty())));
    case Layout::Gathered:
      return Builder.CreateExtractElement(Access.Address, Lane);
    case Layout::Indexed:
      return Builder.CreatePtrAdd(
          Access.Address, Builder.CreateMul(Builder.CreateSExtOrTrunc(
                                                Builder.CreateExtractElement(
                                                    Access.Index, Lane),
                                                Builder.getInt64Ty()),
                                            Builder.getInt64(Access.Scale)));
    }
    llvm_unreachable("unknown layout");
  }
  Value *addressOf(unsigned Lane) { return addressOf(Builder.getInt64(Lane)); }

  IRBuilder<> &builder() { return Builder; }

private:
  static bool match0(const Value *Lane) {
    const auto *Constant = dyn_cast<ConstantInt>(Lane);
    return Constant && Constant->isZero();
  }

  /// The mask as an i1 for each lane.
  Value *makeMask() {
    Value *Mask = Access.Mask;
    switch (Access.Form) {
    case MaskForm::Booleans:
      break;
    case MaskForm::HighestBits: {
      auto *MaskTy = cast<VectorType>(Mask->getType());
      Mask = Builder.CreateBitCast(Mask, VectorType::getInteger(MaskTy));
      Mask =
          Builder.CreateICmpSLT(Mask, Constant::getNullValue(Mask->getType()));
      break;
    }
    case MaskForm::Integer:
      return Builder.CreateBitCast(
          Builder.CreateTrunc(Mask, Builder.getIntNTy(size())),
          VectorType::get(Builder.getInt1Ty(), Lanes));
    }
    if (cast<VectorType>(Mask->getType())->getElementCount() == Lanes)
      return Mask;
    return Builder.CreateShuffleVector(Mask,
                                       createSequentialMask(0, size(), 0));
  }

  const LaneAccess &Access;
  IRBuilder<> Builder;
  ElementCount Lanes;
  Value *Active;
};

} // namespace

bool thermocline::instrument::addLaneUpdates(
    IntrinsicInst &II, const LaneAccess &Access, bool OneByOne, Nowhere &NoLane,
    SmallVectorImpl<CounterUpdate> &Updates) {
  Value *Base = Access.commonObject();
  OneByOne &= Access.Place != Layout::Packed;
  if (cast<VectorType>(Access.Vector)->getElementCount().isScalable() &&
      (!Base || OneByOne))
    return false;
  LaneBuilder Lanes(II, Access);
  const auto Known = Lanes.known();
  auto AddUnknown = [&](Value *Times, Value *IsAny, Value *Address) {
    CounterUpdate Update{Lanes.place(), Lanes.builder().CreateSelect(
                                            IsAny, Address, NoLane.address())};
    Update.Times = Times;
    Update.Base = Base;
    Update.MayBeNowhere = true;
    Updates.push_back(Update);
  };
  if (Base && !OneByOne) {
    if (!Known) {
      auto [Count, First] = Lanes.countAndFirst();
      AddUnknown(Count, Lanes.builder().CreateIsNotNull(Count),
                 Lanes.addressOf(First));
    } else if (!Known->empty()) {
      Updates.push_back(
          {Lanes.place(), Lanes.addressOf(Known->front()), Known->size()});
      Updates.back().Base = Base;
    }
    return true;
  }
  if (Known) {
    for (unsigned Lane : *Known)
      Updates.push_back({Lanes.place(), Lanes.addressOf(Lane)});
    return true;
  }
  for (unsigned Lane = 0; Lane != Lanes.size(); ++Lane) {
    Value *IsActive = Lanes.isActive(Lane);
    AddUnknown(
        Lanes.builder().CreateZExt(IsActive, Lanes.builder().getInt64Ty()),
        IsActive, Lanes.addressOf(Lane));
  }
  return true;
}
