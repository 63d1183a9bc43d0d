//===- Instrument/CounterEmitter.cpp - Counter updates as IR --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Instrument/CounterEmitter.h"
#include "Bases.h"
#include "Target/Target.h"
#include "thermocline/Format/Counters.h"
#include "thermocline/Format/Symbols.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::instrument;
namespace symbol = thermocline::format::symbol;

CounterEmitter::CounterEmitter(Function &F, const InstrumentOptions &Options)
    : F(F), M(*F.getParent()), Sampling(Options.Sampling),
      Histogram(Options.Histogram), IntPtr(Type::getInt64Ty(F.getContext())) {}

Value *CounterEmitter::granuleOf(IRBuilder<> &Builder, Value *Number,
                                 uint64_t GranuleBytes) {
  const unsigned Shift = Log2_64(GranuleBytes);
  Value *Granule = Builder.CreateLShr(Number, Shift);
  const uint64_t Mask = targetLayoutOf(M).Addresses.PlaceMask;
  return ~Mask ? Builder.CreateAnd(Granule, Mask >> Shift) : Granule;
}

Value *CounterEmitter::loadBase(IRBuilder<> &Builder) {
  auto *Address =
      cast<GlobalVariable>(M.getOrInsertGlobal(symbol::ShadowBase, IntPtr));
  // A program has it, or a copy of it, and need not look it up.
  if ((M.getPICLevel() == PICLevel::NotPIC ||
       M.getPIELevel() != PIELevel::Default) &&
      targetLayoutOf(M).CopiesVariables)
    Address->setDSOLocal(true);
  return Builder.CreateLoad(Builder.getPtrTy(), Address, "memprof.base");
}

Value *CounterEmitter::shadowBase() {
  if (Base)
    return Base;
  IRBuilder<> Builder(F.getContext());
  Builder.SetInsertPoint(&F.getEntryBlock(),
                         F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  return Base = loadBase(Builder);
}

void CounterEmitter::addInByte(IRBuilder<> &Builder,
                               const CounterUpdate &Update) {
  constexpr uint64_t Most = format::HistogramMaxCount;
  Value *Number = Builder.CreatePtrToInt(Update.Address, IntPtr);
  Value *Granule = granuleOf(Builder, Number, format::HistogramGranuleBytes);
  Value *Counter = Builder.CreatePtrAdd(shadowBase(), Granule);
  IntegerType *Byte = Builder.getInt8Ty();
  Value *Count = Builder.CreateLoad(Byte, Counter);
  Value *New;
  if (!Update.Times && Update.Accesses == 1) {
    // A comparison and an addition with carry; a saturating addition is not.
    Value *HasRoom = Builder.CreateICmpULT(Count, Builder.getInt8(Most));
    New = Builder.CreateAdd(Count, Builder.CreateZExt(HasRoom, Byte));
  } else {
    Value *Added = Builder.getInt64(std::min(Update.Accesses, Most));
    if (Update.Times)
      Added = Builder.CreateBinaryIntrinsic(
          Intrinsic::umin, Builder.CreateMul(Update.Times, Added),
          Builder.getInt64(Most));
    New = Builder.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Count,
                                        Builder.CreateTrunc(Added, Byte));
  }
  Builder.CreateStore(New, Counter);
}

void CounterEmitter::add(IRBuilder<> &Builder, Value *Shadow, Value *Number,
                         const CounterUpdate &Update) {
  Value *Granule = granuleOf(Builder, Number, format::GranuleBytes);
  Value *Counter = Builder.CreateGEP(Builder.getInt64Ty(), Shadow, Granule);
  Value *Added = Update.Times;
  if (!Added)
    Added = Builder.getInt64(Update.Accesses);
  else if (Update.Accesses != 1)
    Added = Builder.CreateMul(Added, Builder.getInt64(Update.Accesses));
  Value *Count = Builder.CreateLoad(Builder.getInt64Ty(), Counter);
  Builder.CreateStore(Builder.CreateAdd(Count, Added), Counter);
}

Value *CounterEmitter::unsampledMask(IRBuilder<> &Builder) {
  const TargetLayout Target = targetLayoutOf(M);
  Constant *Value = ConstantInt::get(IntPtr, Target.Addresses.UncountedMask);
  if (!Target.TestsAgainstMemory)
    return Value;
  GlobalVariable *Mask = M.getNamedGlobal(symbol::UnsampledMask);
  if (!Mask) {
    // Weak, as the compiler would otherwise know its value.
    Mask = new GlobalVariable(M, IntPtr, /*isConstant=*/true,
                              GlobalValue::WeakAnyLinkage, Value,
                              symbol::UnsampledMask);
    Mask->setVisibility(GlobalValue::HiddenVisibility);
    Mask->setComdat(M.getOrInsertComdat(symbol::UnsampledMask));
  }
  return Builder.CreateLoad(IntPtr, Mask);
}

/// Moves what is computed in front of \p Test, by which a block was split, for
/// what follows it to there: code is selected block by block, and only within
/// one is a comparison one with its branch, or an address with its access.
static void sinkCheapValues(BranchInst &Test) {
  const BasicBlock &Head = *Test.getParent();
  BasicBlock &Tail = *Test.getSuccessor(1);
  auto IsForTail = [&](const User *U) {
    const auto *I = cast<Instruction>(U);
    // A phi uses what it takes at the end of another block.
    return isa<PHINode>(I) || (I->getParent() != &Head &&
                               I->getParent()->getSingleSuccessor() != &Tail);
  };
  constexpr unsigned MostLookedAt = 16, MostUses = 16;
  Instruction *Next = Test.getPrevNode();
  for (unsigned I = 0; Next && I != MostLookedAt; ++I) {
    Instruction &Value = *Next;
    Next = Value.getPrevNode();
    if (isa<CmpInst, CastInst, GetElementPtrInst, SelectInst>(Value) &&
        !Value.hasNUsesOrMore(MostUses + 1) && all_of(Value.users(), IsForTail))
      Value.moveBefore(Tail, Tail.getFirstInsertionPt());
  }
}

/// Computes \p Address, which was computed from \p Base by arithmetic alone,
/// once more, so that the access has its own to itself.
static Value *computeAgain(IRBuilder<> &Builder, Value *Address, Value *Base) {
  if (Address == Base)
    return Base;
  auto *Again = cast<GetElementPtrInst>(cast<Instruction>(Address)->clone());
  Value *Pointer = computeAgain(Builder, Again->getPointerOperand(), Base);
  Again->setOperand(GetElementPtrInst::getPointerOperandIndex(), Pointer);
  return Builder.Insert(Again);
}

void CounterEmitter::emit(const CounterUpdate &Update) {
  Instruction *Before = Update.Before;
  IRBuilder<> Builder(Before);
  if (Histogram)
    return addInByte(Builder, Update);
  if (!Sampling) {
    Value *Shadow = shadowBase();
    return add(Builder, Shadow, Builder.CreatePtrToInt(Update.Address, IntPtr),
               Update);
  }
  // The bit is that of all of the object: which element is accessed need only
  // be known where it counts.
  Value *Tested = cheapAddress(Update.Address, UINT64_MAX);
  Value *Bit = Builder.CreateAnd(Builder.CreatePtrToInt(Tested, IntPtr),
                                 unsampledMask(Builder));
  BasicBlock &Head = *Before->getParent();
  Instruction *IfSampled = SplitBlockAndInsertIfThen(
      Builder.CreateIsNull(Bit), Before, /*Unreachable=*/false,
      MDBuilder(F.getContext()).createUnlikelyBranchWeights());
  // The base is loaded where it is needed, to leave a register to the rest.
  Builder.SetInsertPoint(IfSampled);
  Value *Shadow = loadBase(Builder);
  Value *Address = computeAgain(Builder, Update.Address, Tested);
  add(Builder, Shadow, Builder.CreatePtrToInt(Address, IntPtr), Update);
  Tests.insert(Head.getTerminator());
}

void CounterEmitter::finish() {
  // Blocks come from first to last, so that what is for the last gets there.
  for (BasicBlock &Block : F)
    if (Tests.contains(Block.getTerminator()))
      sinkCheapValues(*cast<BranchInst>(Block.getTerminator()));
}

void CounterEmitter::emit(AnyMemIntrinsic &MI) {
  IRBuilder<> Builder(&MI);
  Type *Ptr = Builder.getPtrTy();
  Value *Length = Builder.CreateIntCast(MI.getLength(), IntPtr, false);
  auto *Transfer = dyn_cast<AnyMemTransferInst>(&MI);
  if (MI.isAtomic() || MI.getIntrinsicID() == Intrinsic::memcpy_inline ||
      MI.getIntrinsicID() == Intrinsic::memset_inline) {
    FunctionCallee Record = M.getOrInsertFunction(
        symbol::RecordRange, Builder.getVoidTy(), Ptr, IntPtr);
    if (Transfer)
      Builder.CreateCall(Record, {Transfer->getRawSource(), Length});
    Builder.CreateCall(Record, {MI.getRawDest(), Length});
    return;
  }
  if (Transfer) {
    FunctionCallee Copy = M.getOrInsertFunction(
        isa<MemMoveInst>(MI) ? symbol::Memmove : symbol::Memcpy, Ptr, Ptr, Ptr,
        IntPtr);
    Builder.CreateCall(Copy,
                       {MI.getRawDest(), Transfer->getRawSource(), Length});
  } else {
    FunctionCallee Fill = M.getOrInsertFunction(symbol::Memset, Ptr, Ptr,
                                                Builder.getInt32Ty(), IntPtr);
    Value *Byte = Builder.CreateIntCast(cast<MemSetInst>(MI).getValue(),
                                        Builder.getInt32Ty(), false);
    Builder.CreateCall(Fill, {MI.getRawDest(), Byte, Length});
  }
  MI.eraseFromParent();
}

void CounterEmitter::makeInline(MemIntrinsic &MI) {
  IRBuilder<> Builder(&MI);
  CallInst *Inline;
  if (isa<MemCpyInst>(MI) && MI.getIntrinsicID() != Intrinsic::memcpy_inline)
    Inline = Builder.CreateMemCpyInline(
        MI.getRawDest(), MI.getDestAlign(), cast<MemCpyInst>(MI).getRawSource(),
        cast<MemCpyInst>(MI).getSourceAlign(), MI.getLength(), MI.isVolatile());
  else if (isa<MemSetInst>(MI) &&
           MI.getIntrinsicID() != Intrinsic::memset_inline)
    Inline = Builder.CreateMemSetInline(MI.getRawDest(), MI.getDestAlign(),
                                        cast<MemSetInst>(MI).getValue(),
                                        MI.getLength(), MI.isVolatile());
  else
    return;
  Inline->setAAMetadata(MI.getAAMetadata());
  MI.eraseFromParent();
}
