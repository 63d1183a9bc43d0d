//===- Annotate/NamedAllocators.cpp - The program's own allocators --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/NamedAllocators.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

/// What a function is called while its body is hidden.
static constexpr StringLiteral HiddenPrefix = "thermocline.";
/// The name that a hidden function had.
static constexpr StringLiteral HiddenAttribute = "thermocline-hides";
/// The hidden function was kept alive for that alone.
static constexpr StringLiteral KeptAttribute = "thermocline-keeps";
/// The beginning of the text in
/// `__attribute__((annotate("alloc-variant-cold=VARIANT")))`.
static constexpr StringLiteral AnnotationPrefix = "alloc-variant-cold=";

/// Why an alias or an ifunc is refused: where it is called, nothing is known of
/// the function that it stands for.
static constexpr StringLiteral NoFunction =
    "is no function in this module, but an alias or the like";

namespace {

/// The variant of each function, in the order of the module.
using VariantsByFunction = MapVector<Function *, std::string>;

void warn(Module &M, const Twine &Message) {
  M.getContext().diagnose(
      DiagnosticInfoGeneric("thermocline: " + Message, DS_Warning));
}

/// The annotation of \p Entry, an element of llvm.global.annotations.
StringRef annotationText(const ConstantStruct &Entry) {
  auto *Text = dyn_cast<GlobalVariable>(Entry.getOperand(1));
  if (!Text || !Text->hasInitializer())
    return "";
  auto *Data = dyn_cast<ConstantDataArray>(Text->getInitializer());
  return Data && Data->isCString() ? Data->getAsCString() : StringRef();
}

void warnOf(Module &M, StringRef Name, const Twine &Problem) {
  warn(M, Name + ", a named allocation function, " + Problem +
              "; its calls get no hint");
}

/// What source code says of its functions. C has no word for an attribute of
/// LLVM's, but clang hands annotations on.
void readAnnotations(Module &M, VariantsByFunction &Variants) {
  GlobalVariable *All = M.getNamedGlobal("llvm.global.annotations");
  auto *Array = All && All->hasInitializer()
                    ? dyn_cast<ConstantArray>(All->getInitializer())
                    : nullptr;
  if (!Array)
    return;
  for (const Use &Element : Array->operands()) {
    auto *Entry = dyn_cast<ConstantStruct>(Element);
    if (!Entry || Entry->getNumOperands() < 2)
      continue;
    auto *GV = dyn_cast<GlobalValue>(Entry->getOperand(0)->stripPointerCasts());
    StringRef Text = annotationText(*Entry);
    if (!GV || !Text.consume_front(AnnotationPrefix))
      continue;
    auto *F = dyn_cast<Function>(GV);
    if (!F) {
      warnOf(M, GV->getName(), NoFunction);
      continue;
    }
    auto [Known, IsNew] = Variants.insert({F, Text.str()});
    if (!IsNew && Known->second != Text)
      warn(M, F->getName() +
                  ", a named allocation function, is annotated with "
                  "several cold variants; " +
                  Known->second + " is taken");
  }
}

/// What is wrong with \p ColdName for a variant of \p F; empty if nothing can
/// be seen here.
std::string problemWith(const Function &F, StringRef ColdName) {
  if (F.hasLocalLinkage())
    return "is local to its module; an allocation function with a cold variant "
           "must be known to the linker";
  if (ColdName.empty() || ColdName == F.getName())
    return "has no cold variant but itself";
  const GlobalValue *Variant = F.getParent()->getNamedValue(ColdName);
  if (!Variant)
    return "";
  if (!Variant->getValueType()->isFunctionTy())
    return ("has a cold variant, " + ColdName + ", that is no function").str();
  // llvm.compiler.used, which keeps the variant for the link, takes none.
  if (isa<GlobalIFunc>(Variant))
    return ("has a cold variant, " + ColdName + ", that is an ifunc").str();
  if (Variant->hasLocalLinkage())
    return ("has a cold variant, " + ColdName + ", that is local to its module")
        .str();
  if (Variant->getValueType() != F.getFunctionType())
    return ("has a cold variant, " + ColdName + ", of another type").str();
  const auto *Defined = dyn_cast<Function>(Variant);
  auto FamilyOf = [](const Function &Allocator) {
    return Allocator.getFnAttribute("alloc-family").getValueAsString();
  };
  if (Defined && Defined->getCallingConv() != F.getCallingConv())
    return ("has a cold variant, " + ColdName +
            ", of another calling convention")
        .str();
  if (Defined && !FamilyOf(F).empty() && !FamilyOf(*Defined).empty() &&
      FamilyOf(F) != FamilyOf(*Defined))
    return ("has a cold variant, " + ColdName + ", of another alloc-family")
        .str();
  return "";
}

/// All that are named, the option first: it is nearer to the user than what is
/// in a header. What comes by the family is last.
VariantsByFunction findNamed(Module &M, ArrayRef<NamedAllocator> Allocators) {
  VariantsByFunction Variants;
  readAnnotations(M, Variants);
  for (Function &F : M)
    if (Attribute A = F.getFnAttribute(ColdVariantAttribute); A.isValid())
      Variants[&F] = A.getValueAsString().str();
  for (const NamedAllocator &Is : Allocators)
    if (GlobalValue *GV = M.getNamedValue(Is.Name)) {
      if (auto *F = dyn_cast<Function>(GV))
        Variants[F] = Is.ColdName;
      else
        warnOf(M, Is.Name, NoFunction);
    }
  for (Function &F : M)
    if (auto Member = familyMember(F); Member && !Member->ColdName.empty())
      Variants.insert({&F, Member->ColdName});
  Variants.remove_if([&](const auto &Named) {
    std::string Problem = problemWith(*Named.first, Named.second);
    if (!Problem.empty())
      warnOf(M, Named.first->getName(), Problem);
    return !Problem.empty();
  });
  return Variants;
}

/// A declaration that calls of \p F name as long as its body is hidden.
Function *hide(Function &F) {
  Function *Hidden = Function::Create(
      F.getFunctionType(), GlobalValue::ExternalLinkage, F.getAddressSpace(),
      HiddenPrefix + F.getName(), F.getParent());
  Hidden->setCallingConv(F.getCallingConv());
  // As the source has them: nothing was found out from the body yet.
  Hidden->setAttributes(F.getAttributes());
  Hidden->addFnAttr(HiddenAttribute, F.getName());
  // It may have no other uses.
  SmallVector<GlobalValue *, 4> Used;
  collectUsedGlobalVariables(*F.getParent(), Used, /*CompilerUsed=*/false);
  collectUsedGlobalVariables(*F.getParent(), Used, /*CompilerUsed=*/true);
  if (!is_contained(Used, &F)) {
    appendToCompilerUsed(*F.getParent(), &F);
    Hidden->addFnAttr(KeptAttribute);
  }
  return Hidden;
}

} // namespace

bool thermocline::annotate::removeColdVariant(CallBase &Call) {
  if (coldVariant(Call).empty())
    return false;
  Call.removeFnAttr(ColdVariantAttribute);
  return true;
}

GlobalValue *thermocline::annotate::declareColdVariant(CallBase &Call) {
  Module &M = *Call.getFunction()->getParent();
  StringRef Name = coldVariant(Call);
  if (GlobalValue *Known = M.getNamedValue(Name))
    return Known->getValueType() == Call.getFunctionType() ? Known : nullptr;
  Function *Variant = Function::Create(Call.getFunctionType(),
                                       GlobalValue::ExternalLinkage, Name, M);
  Variant->setCallingConv(Call.getCallingConv());
  // What holds of a body holds of no other.
  const Function *Plain = Call.getCalledFunction();
  if (Plain && Plain->isDeclaration()) {
    Variant->setAttributes(Plain->getAttributes());
    Variant->removeFnAttr(ColdVariantAttribute);
  }
  return Variant;
}

void thermocline::annotate::keepColdVariant(CallBase &Call) {
  if (GlobalValue *Variant = declareColdVariant(Call))
    appendToCompilerUsed(*Variant->getParent(), Variant);
}

PreservedAnalyses MarkNamedAllocatorsPass::run(Module &M,
                                               ModuleAnalysisManager &) {
  bool Changed = false;
  for (auto &[F, ColdName] : findNamed(M, Allocators)) {
    Function *Hidden = nullptr;
    for (Use &U : make_early_inc_range(F->uses())) {
      auto *Call = dyn_cast<CallBase>(U.getUser());
      // The variant may do its work by way of the plain function.
      if (!Call || !Call->isCallee(&U) ||
          Call->getFunctionType() != F->getFunctionType() ||
          Call->getFunction()->getName() == ColdName)
        continue;
      Call->addFnAttr(
          Attribute::get(M.getContext(), ColdVariantAttribute, ColdName));
      Changed = true;
      if (F->isDeclaration())
        continue;
      if (!Hidden)
        Hidden = hide(*F);
      Call->setCalledFunction(Hidden);
    }
  }
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses UnhideNamedAllocatorsPass::run(Module &M,
                                                 ModuleAnalysisManager &) {
  SmallVector<std::pair<Function *, Function *>, 2> Pairs;
  for (Function &F : M)
    if (Attribute A = F.getFnAttribute(HiddenAttribute); A.isValid())
      Pairs.push_back({&F, M.getFunction(A.getValueAsString())});
  if (Pairs.empty())
    return PreservedAnalyses::all();
  removeFromUsedLists(M, [&](Constant *C) {
    return any_of(Pairs, [&](auto Pair) {
      return Pair.second == C && Pair.first->hasFnAttribute(KeptAttribute);
    });
  });
  for (auto [Hidden, F] : Pairs) {
    // Used, so nothing has removed it.
    assert(F && "a hidden function is gone");
    Hidden->replaceAllUsesWith(F);
    Hidden->eraseFromParent();
  }
  return PreservedAnalyses::none();
}
