//===- Instrument/LaneAccesses.cpp - Accesses by lanes --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaneAccesses.h"
#include "Nowhere.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace thermocline::instrument;
using Layout = LaneAccess::Layout;

Value *LaneAccess::commonBase() const {
  if (Place != Layout::Gathered)
    return Address;
  Value *Base = Address;
  while (auto *Arithmetic = dyn_cast<GEPOperator>(Base))
    Base = Arithmetic->getPointerOperand();
  return Base->getType()->isVectorTy() ? getSplatValue(Base) : Base;
}

std::optional<LaneAccess>
thermocline::instrument::asLaneAccess(IntrinsicInst &II) {
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
    return std::nullopt;
  }
}

namespace {

/// Computes in front of an access what its updates need.
class LaneBuilder {
public:
  LaneBuilder(IntrinsicInst &II, const LaneAccess &Access)
      : Access(Access), Builder(&II),
        Lanes(cast<VectorType>(Access.Vector)->getElementCount()),
        Active(Access.Mask) {
    if (!Access.Length)
      return;
    Type *LengthTy = Access.Length->getType();
    Active = Builder.CreateAnd(
        Active, Builder.CreateICmpULT(
                    Builder.CreateStepVector(VectorType::get(LengthTy, Lanes)),
                    Builder.CreateVectorSplat(Lanes, Access.Length)));
  }

  bool isScalable() const { return Lanes.isScalable(); }
  unsigned size() const { return Lanes.getFixedValue(); }

  /// Whether \p Lane is active, an i1.
  Value *isActive(uint64_t Lane) {
    return Builder.CreateExtractElement(Active, Lane);
  }

  /// Those that are known to be active, if all are known; an unknown element
  /// of a constant may be.
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

  const LaneAccess &Access;
  IRBuilder<> Builder;
  ElementCount Lanes;
  Value *Active;
};

} // namespace

bool thermocline::instrument::addLaneUpdates(
    IntrinsicInst &II, const LaneAccess &Access, bool OneByOne, Nowhere &NoLane,
    SmallVectorImpl<CounterUpdate> &Updates) {
  LaneBuilder Lanes(II, Access);
  Value *Base = Access.commonBase();
  OneByOne &= Access.Place != Layout::Packed;
  if (Lanes.isScalable() && (!Base || OneByOne))
    return false;
  const auto Known = Lanes.known();
  auto AddUnknown = [&](Value *Times, Value *IsAny, Value *Address) {
    CounterUpdate Update{
        &II, Lanes.builder().CreateSelect(IsAny, Address, NoLane.address())};
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
      Updates.push_back({&II, Lanes.addressOf(Known->front()), Known->size()});
      Updates.back().Base = Base;
    }
    return true;
  }
  if (Known) {
    for (unsigned Lane : *Known)
      Updates.push_back({&II, Lanes.addressOf(Lane)});
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
