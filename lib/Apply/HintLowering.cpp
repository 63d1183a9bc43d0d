//===- Apply/HintLowering.cpp - Cold allocations call cold functions ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Annotate/NamedAllocators.h"
#include "thermocline/Apply/Remarks.h"
#include "thermocline/Format/Symbols.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include <numeric>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;
using namespace thermocline::apply;

namespace {

/// Empty if there is none.
StringRef markOf(const CallBase &Call) {
  Attribute Mark = Call.getAttributes().getFnAttr("memprof");
  return Mark.isValid() && Mark.isStringAttribute() ? Mark.getValueAsString()
                                                    : StringRef();
}

bool isMarkedCold(const CallBase &Call) { return markOf(Call) == "cold"; }

/// What LLVM knows of malloc and its kin by name, as attributes, for their cold
/// variants, whose names it does not know. \p Allocator is such a function, or
/// a call.
template <typename T>
void addAllocatorAttributes(T &Allocator, AllocationKind Kind) {
  AttrBuilder Fn(Allocator.getContext());
  auto Alloc = [&](AllocFnKind What, unsigned SizeArgument,
                   std::optional<unsigned> CountArgument = {}) {
    Fn.addAllocKindAttr(What);
    Fn.addAllocSizeAttr(SizeArgument, CountArgument);
  };
  switch (Kind) {
  case AllocationKind::Malloc:
    Alloc(AllocFnKind::Alloc | AllocFnKind::Uninitialized, 0);
    break;
  case AllocationKind::Calloc:
    Alloc(AllocFnKind::Alloc | AllocFnKind::Zeroed, 0, 1);
    break;
  case AllocationKind::Realloc:
    Alloc(AllocFnKind::Realloc, 1);
    Allocator.addParamAttr(0, Attribute::AllocatedPointer);
    break;
  case AllocationKind::Reallocarray:
    Alloc(AllocFnKind::Realloc, 1, 2);
    Allocator.addParamAttr(0, Attribute::AllocatedPointer);
    break;
  case AllocationKind::AlignedAlloc:
  case AllocationKind::Memalign:
    Alloc(AllocFnKind::Alloc | AllocFnKind::Uninitialized |
              AllocFnKind::Aligned,
          1);
    Allocator.addParamAttr(0, Attribute::AllocAlign);
    break;
  default:
    // Not an allocation whose size or contents an attribute can tell.
    break;
  }
  if (Kind != AllocationKind::PosixMemalign)
    Allocator.addRetAttr(Attribute::NoAlias);
  Fn.addAttribute("alloc-family", "malloc");
  Allocator.setAttributes(
      Allocator.getAttributes().addFnAttributes(Allocator.getContext(), Fn));
}

/// \p Call with another callee and with \p Extra after its arguments; all else
/// as before.
CallBase *replaceWithArgument(CallBase &Call, Function *Callee, Value *Extra) {
  SmallVector<Type *, 6> Types(Call.getFunctionType()->params());
  Types.push_back(Extra->getType());
  // The return type is the call's own: a structure may have a name there.
  auto *Type = FunctionType::get(Call.getType(), Types, /*isVarArg=*/false);
  SmallVector<Value *, 6> Arguments(Call.args());
  Arguments.push_back(Extra);
  SmallVector<OperandBundleDef, 1> Bundles;
  Call.getOperandBundlesAsDefs(Bundles);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&Call)) {
    New = InvokeInst::Create(Type, Callee, Invoke->getNormalDest(),
                             Invoke->getUnwindDest(), Arguments, Bundles, "",
                             Call.getIterator());
  } else {
    auto *Old = cast<CallInst>(&Call);
    auto *NewCall = CallInst::Create(Type, Callee, Arguments, Bundles, "",
                                     Call.getIterator());
    NewCall->setTailCallKind(Old->getTailCallKind());
    New = NewCall;
  }
  New->setCallingConv(Call.getCallingConv());
  New->setAttributes(Call.getAttributes());
  New->addParamAttr(Arguments.size() - 1, Attribute::NoUndef);
  New->addParamAttr(Arguments.size() - 1, Attribute::ZExt);
  New->copyMetadata(Call);
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
  return New;
}

} // namespace

HintLowering::HintLowering(Module &M, const HintOptions &Options,
                           ApplyStatistics &Statistics)
    : M(M), Options(Options), Statistics(Statistics) {}

Function *HintLowering::coldFunction(const AllocationFunction &Row,
                                     const Function &Plain) {
  if (GlobalValue *Known = M.getNamedValue(Row.ColdName))
    return dyn_cast<Function>(Known);
  Function *Cold =
      Function::Create(Row.coldType(M.getContext(), M.getDataLayout()),
                       GlobalValue::ExternalLinkage, Row.ColdName, M);
  // A copy of the definition may have been imported for inlining: what holds of
  // its body holds of no other.
  if (Plain.isDeclaration()) {
    Cold->setAttributes(Plain.getAttributes());
    Cold->setCallingConv(Plain.getCallingConv());
  }
  if (Row.Form == HintForm::ColdVariant) {
    if (!HasNoBuiltin)
      addAllocatorAttributes(*Cold, Row.Kind);
  } else {
    Cold->addParamAttr(Cold->arg_size() - 1, Attribute::NoUndef);
    Cold->addParamAttr(Cold->arg_size() - 1, Attribute::ZExt);
  }
  return Cold;
}

CallBase *HintLowering::keep(CallBase &Call, NotLowered Reason) {
  ++Statistics.NotLoweredBy[static_cast<unsigned>(Reason)];
  OptimizationRemarkEmitter(Call.getFunction()).emit([&] {
    return remarkNotLowered(Call, describe(Reason));
  });
  return nullptr;
}

/// The name of the function that \p F is a version of.
static StringRef originalName(const Function &F) {
  return F.getName().split(".memprof.").first;
}

/// The functions that the indirect call \p Call is compared with.
static SmallVector<const AllocationFunction *, 4>
comparedWith(const CallBase &Call, const HintOptions &Options) {
  auto Rows = allocationsBehind(Call);
  llvm::erase_if(Rows, [&](const AllocationFunction *Row) {
    return llvm::binary_search(Options.Redefined, Row->Name) ||
           originalName(*Call.getFunction()) == Row->ColdName;
  });
  return Rows;
}

static std::optional<NotLowered> whyNamedKept(const CallBase &Call,
                                              const HintOptions &Options) {
  auto *Plain = cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  StringRef VariantName = coldVariant(Call);
  if (llvm::binary_search(Options.Redefined, Plain->getName()))
    return NotLowered::Redefined;
  if (llvm::binary_search(Options.MissingVariants, VariantName))
    return NotLowered::NoVariant;
  if (originalName(*Call.getFunction()) == VariantName)
    return NotLowered::OwnAllocator;
  return std::nullopt;
}

std::optional<NotLowered>
thermocline::apply::whyKept(const CallBase &Call, const HintOptions &Options) {
  const AllocationCall Is = classifyAllocationCall(Call);
  if (Is.isNamed())
    return whyNamedKept(Call, Options);
  switch (Is.Verdict) {
  case AllocationVerdict::NotByName:
    if (!comparedWith(Call, Options).empty())
      return std::nullopt;
    return any_of(allocationsBehind(Call),
                  [&](const AllocationFunction *Row) {
                    return llvm::binary_search(Options.Redefined, Row->Name);
                  })
               ? NotLowered::Redefined
               : NotLowered::UnknownFunction;
  case AllocationVerdict::OwnHint:
    if (Options.Own == OwnHints::Keep)
      return NotLowered::OwnHint;
    break;
  case AllocationVerdict::DefinedHere:
  case AllocationVerdict::OtherPrototype:
    return NotLowered::OwnAllocator;
  case AllocationVerdict::MustTail:
    return NotLowered::MustTail;
  case AllocationVerdict::UnknownFamily:
    return NotLowered::UnknownFunction;
  case AllocationVerdict::Allocation:
    break;
  }
  if (llvm::binary_search(Options.Redefined, Is.Function->Name))
    return NotLowered::Redefined;
  // A program that defines the cold function by way of the plain one would call
  // itself for ever.
  if (Is.Verdict == AllocationVerdict::Allocation &&
      originalName(*Call.getFunction()) == Is.Function->ColdName)
    return NotLowered::OwnAllocator;
  return std::nullopt;
}

std::optional<NotLowered>
thermocline::apply::whyKept(CalledAllocator Calls, const HintOptions &Options) {
  using Way = CalledAllocator::Way;
  switch (Calls.Is) {
  case Way::Unknown:
    return std::nullopt;
  case Way::Own:
    if (any_of(Options.Redefined,
               [&](StringRef Name) { return Calls.isOwn(Name); }))
      return NotLowered::Redefined;
    if (any_of(Options.MissingVariants,
               [&](StringRef Name) { return Calls.hasVariant(Name); }))
      return NotLowered::NoVariant;
    return std::nullopt;
  case Way::OwnHint:
    if (Options.Own == OwnHints::Keep)
      return NotLowered::OwnHint;
    [[fallthrough]];
  case Way::ByName:
  case Way::ByPointer:
  case Way::ByAnyPointer:
    for (const AllocationFunction &Row : allocationFunctions())
      if ((Calls.Which >> static_cast<unsigned>(Row.Kind) & 1) &&
          !llvm::binary_search(Options.Redefined, Row.Name))
        return std::nullopt;
    return NotLowered::Redefined;
  }
  llvm_unreachable("all ways are covered");
}

/// Whether hinted calls of the function may end in an operator new of the
/// program's own.
static bool mayBeOwn(const AllocationFunction &Row,
                     const HintOptions &Options) {
  if (!Row.isOperatorNew())
    return false;
  const bool IsAligned = Row.Kind == AllocationKind::SizeReturningNewAligned ||
                         Row.Name.contains("align_val_t");
  return IsAligned ? Options.HasOwnAlignedOperators : Options.HasOwnOperators;
}

bool thermocline::apply::isSureToBeHinted(CalledAllocator Calls,
                                          const HintOptions &Options) {
  using Way = CalledAllocator::Way;
  switch (Calls.Is) {
  case Way::Own:
    return true;
  case Way::ByAnyPointer:
    return false;
  case Way::Unknown:
    return !Options.HasOwnOperators && !Options.HasOwnAlignedOperators;
  case Way::ByName:
  case Way::OwnHint:
  case Way::ByPointer:
    return none_of(allocationFunctions(), [&](const AllocationFunction &Row) {
      return (Calls.Which >> static_cast<unsigned>(Row.Kind) & 1) &&
             (llvm::binary_search(Options.Redefined, Row.Name) ||
              mayBeOwn(Row, Options));
    });
  }
  llvm_unreachable("all ways are covered");
}

bool thermocline::apply::isSureToBeHinted(const CallBase &Call,
                                          CalledAllocator Calls,
                                          const HintOptions &Options) {
  if (Calls.Is != CalledAllocator::Way::Unknown)
    return isSureToBeHinted(Calls, Options);
  const AllocationFunction *Row = classifyAllocationCall(Call).Function;
  return !Row || !mayBeOwn(*Row, Options);
}

CallBase *HintLowering::lowerNamed(CallBase &Call) {
  auto *Plain = cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  if (auto Why = whyNamedKept(Call, Options))
    return keep(Call, *Why);
  GlobalValue *Variant = declareColdVariant(Call);
  if (!Variant)
    return keep(Call, NotLowered::UnfitVariant);
  OptimizationRemarkEmitter(Call.getFunction()).emit([&] {
    return remarkLowered(Call, *Variant);
  });
  ++Statistics.LoweredNamed[originalName(*Plain).str()];
  Call.setCalledOperand(Variant);
  return &Call;
}

CallBase *HintLowering::lowerPointer(CallBase &Call) {
  const auto Why = whyKept(Call, Options);
  for (const AllocationFunction *Row : comparedWith(Call, Options)) {
    FunctionCallee Plain = M.getOrInsertFunction(
        Row->Name, Row->type(M.getContext(), M.getDataLayout()));
    CallBase &Direct =
        promoteCallWithIfThenElse(Call, cast<Function>(Plain.getCallee()));
    Direct.removeFnAttr(BehindPointerAttribute);
    lower(Direct);
  }
  Call.removeFnAttr(BehindPointerAttribute);
  return Why ? keep(Call, *Why) : &Call;
}

/// Replaces the hint that \p Call passes.
static void passOwn(CallBase &Call, uint8_t Hint) {
  Call.setArgOperand(
      Call.arg_size() - 1,
      ConstantInt::get(Type::getInt8Ty(Call.getContext()), Hint));
}

/// Whether LLVM is not to know what \p Call does, if it is of malloc or its
/// kin, or through a pointer.
static bool isOfNoBuiltin(const CallBase &Call) {
  const AllocationFunction *Row = classifyAllocationCall(Call).Function;
  if (Row)
    return !Row->isOperatorNew() && isNoBuiltin(Call, *Row);
  return llvm::any_of(allocationsBehind(Call),
                      [&](const AllocationFunction *Behind) {
                        return isNoBuiltin(Call, *Behind);
                      });
}

CallBase *HintLowering::lower(CallBase &Call) {
  const AllocationCall Is = classifyAllocationCall(Call);
  if (Is.isNamed())
    return lowerNamed(Call);
  if (Is.Verdict == AllocationVerdict::NotByName)
    return lowerPointer(Call);
  if (auto Why = whyKept(Call, Options))
    return keep(Call, *Why);
  if (Is.Verdict == AllocationVerdict::OwnHint) {
    passOwn(Call, Options.ColdHint);
    ++Statistics.Lowered[static_cast<unsigned>(Is.Function->Kind)];
    return &Call;
  }
  const bool TakesArgument = Is.Function->Form == HintForm::HintArgument;
  auto *Plain = cast<Function>(Call.getCalledOperand()->stripPointerCasts());
  Function *Cold = coldFunction(*Is.Function, *Plain);
  if (!Cold)
    return keep(Call, NotLowered::OwnAllocator);
  // Before the call is another one, by the name that it had.
  OptimizationRemarkEmitter(Call.getFunction()).emit([&] {
    return remarkLowered(Call, *Cold);
  });
  CallBase *Result = &Call;
  if (TakesArgument)
    Result = replaceWithArgument(
        Call, Cold,
        ConstantInt::get(Type::getInt8Ty(M.getContext()), Options.ColdHint));
  else
    Call.setCalledOperand(Cold);
  if (HasNoBuiltin && !TakesArgument && !isNoBuiltin(Call, *Is.Function))
    addAllocatorAttributes(Call, Is.Function->Kind);
  ++Statistics.Lowered[static_cast<unsigned>(Is.Function->Kind)];
  return Result;
}

void HintLowering::askForOrder() {
  const StringRef Name = format::symbol::OptionsOfLink;
  if (M.getNamedValue(Name))
    return;
  Constant *Text = ConstantDataArray::getString(M.getContext(), "order=1");
  auto *Options = new GlobalVariable(M, Text->getType(), /*isConstant=*/true,
                                     GlobalValue::WeakAnyLinkage, Text, Name);
  // What a library chooses is not the program's choice.
  Options->setVisibility(GlobalValue::HiddenVisibility);
  Options->setComdat(M.getOrInsertComdat(Name));
}

bool HintLowering::run() {
  bool Changed = false;
  const auto NumHinted = [&] {
    return std::accumulate(std::begin(Statistics.Lowered),
                           std::end(Statistics.Lowered), uint64_t(0));
  };
  const uint64_t NumBefore = NumHinted();
  // Lowering may split blocks, and declare functions.
  SmallVector<CallBase *, 16> Marked;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I)) {
        if (isMarkedCold(*Call)) {
          Marked.push_back(Call);
          HasNoBuiltin |= isOfNoBuiltin(*Call);
          continue;
        }
        if (Options.Own == OwnHints::LetAll && markOf(*Call) == "notcold" &&
            classifyAllocationCall(*Call).Verdict ==
                AllocationVerdict::OwnHint) {
          passOwn(*Call, Options.NotColdHint);
          Changed = true;
        }
        Changed |= removeColdVariant(*Call);
        Call->removeFnAttr(BehindPointerAttribute);
      }
  for (CallBase *Call : Marked) {
    if (CallBase *Lowered = lower(*Call)) {
      Changed = true;
      Call = Lowered;
    }
    Changed |= removeColdVariant(*Call);
  }
  // Without hints, cold objects would lie between the others.
  if (Options.InOrder && NumHinted() != NumBefore)
    askForOrder();
  return Changed;
}
