//===- Annotate/NativeCalls.cpp - Pointers to native code -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Format/NativeCalls.h"
#include "thermocline/Annotate/PointersToAllocators.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"

using namespace llvm;
using namespace thermocline;

static bool isTold(const CallBase &Call) {
  return Call.isIndirectCall() && !Call.isMustTailCall() &&
         !Call.cannotDuplicate() && Call.getDebugLoc() &&
         Call.getDebugLoc().getLine() != 0;
}

namespace {

class CallTeller {
public:
  explicit CallTeller(Module &M)
      : M(M), Word(Type::getInt64Ty(M.getContext())),
        Address(M.getDataLayout().getIntPtrType(M.getContext())) {}

  /// Makes \p Call two.
  void tell(CallBase &Call) {
    Value *IsNative = emitCheck(Call);
    // LLVM compares with a function. It is asked for one that has no address,
    // and its comparison is replaced.
    CallBase &Native = versionCallSite(
        Call, Constant::getNullValue(Call.getCalledOperand()->getType()),
        /*BranchWeights=*/nullptr);
    auto *Branch = cast<BranchInst>(
        Native.getParent()->getSinglePredecessor()->getTerminator());
    auto *Compared = cast<Instruction>(Branch->getCondition());
    Branch->setCondition(IsNative);
    Compared->eraseFromParent();
    Native.setDebugLoc(markedAt(*Native.getDebugLoc().get()));
  }

private:
  static const DILocation *markedAt(const DILocation &Location) {
    if (std::optional<const DILocation *> Marked =
            Location.cloneWithBaseDiscriminator(
                format::NativeCallDiscriminator))
      return *Marked;
    // Nothing else fits beside it.
    return Location.cloneWithDiscriminator(*DILocation::encodeDiscriminator(
        format::NativeCallDiscriminator, /*DF=*/1, /*CI=*/0));
  }

  /// A symbol that linkers define. Where they do not, no code is known to be
  /// that of the binary.
  Constant *linkerSymbol(StringRef Name) {
    Constant *Symbol =
        M.getOrInsertGlobal(Name, Type::getInt8Ty(M.getContext()));
    if (auto *Variable = dyn_cast<GlobalVariable>(Symbol);
        Variable && Variable->isDeclaration()) {
      Variable->setLinkage(GlobalValue::ExternalWeakLinkage);
      Variable->setVisibility(GlobalValue::HiddenVisibility);
    }
    return ConstantExpr::getPtrToInt(Symbol, Address);
  }

  /// What is read in place of the mark of other binaries' code.
  Constant *unmarked() {
    if (!Unmarked) {
      Unmarked = new GlobalVariable(
          M, Word, /*isConstant=*/true, GlobalValue::PrivateLinkage,
          ConstantInt::get(Word, 0), "thermocline.unmarked");
      Begin = linkerSymbol("__ehdr_start");
      End = linkerSymbol("_etext");
    }
    return Unmarked;
  }

  Value *emitCheck(CallBase &Call) {
    Constant *Unmarked = unmarked();
    IRBuilder<> Builder(&Call);
    Value *Pointer = Call.getCalledOperand();
    Value *IsHere = Builder.CreateICmpULT(
        Builder.CreateSub(Builder.CreatePtrToInt(Pointer, Address), Begin),
        Builder.CreateSub(End, Begin));
    Value *Before = Builder.CreateConstGEP1_64(
        Builder.getInt8Ty(), Pointer,
        -static_cast<uint64_t>(format::ProfiledFunctionMarkBytes));
    Value *Mark = Builder.CreateAlignedLoad(
        Word, Builder.CreateSelect(IsHere, Before, Unmarked), Align(1));
    return Builder.CreateICmpNE(
        Mark, ConstantInt::get(Word, format::ProfiledFunctionMark));
  }

  Module &M;
  IntegerType *Word;
  IntegerType *Address;
  /// Null until there is a call.
  GlobalVariable *Unmarked = nullptr;
  /// The addresses between which the code of the binary is.
  Constant *Begin = nullptr;
  Constant *End = nullptr;
};

} // namespace

void thermocline::annotate::tellNativeCalls(Module &M) {
  // What is told apart is in other blocks.
  SmallVector<CallBase *, 16> Calls;
  for (Function &F : M)
    if (!F.hasAvailableExternallyLinkage())
      for (Instruction &I : instructions(F))
        if (auto *Call = dyn_cast<CallBase>(&I); Call && isTold(*Call))
          Calls.push_back(Call);
  CallTeller Teller(M);
  for (CallBase *Call : Calls)
    Teller.tell(*Call);
}
