//===- lto/program/Hintability.cpp - Which allocations take a hint --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hintability.h"
#include "thermocline/Support/RustNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSummaryIndex.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

static void makeUnique(std::vector<std::string> &Names) {
  llvm::sort(Names);
  Names.erase(llvm::unique(Names), Names.end());
}

/// Whether \p Variants has one that Rust's allocator is asked for, which is not
/// defined with the modules.
static bool haveRusts(const ColdVariants &Variants) {
  return any_of(Variants.Undefined, isRustColdVariant);
}

/// Whether \p Is, what modules have of one of Rust's three functions, is an
/// allocator of the program's own: Rust's default asks another function.
static bool isOwn(ValueInfo Is) {
  return any_of(Is.getSummaryList(), [](const auto &Summary) {
    const auto *Defined = dyn_cast<FunctionSummary>(Summary->getBaseObject());
    return Defined && none_of(Defined->calls(), [](const auto &Call) {
             return isRustDefaultAllocator(Call.first.name());
           });
  });
}

/// Whether \p F, one of these functions in the merged module, is the program's
/// own.
static bool isOwn(const llvm::Function &F) {
  return !F.isDeclaration() && none_of(instructions(F), [](const auto &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->getCalledFunction() &&
           isRustDefaultAllocator(Call->getCalledFunction()->getName());
  });
}

ColdVariants thermocline::lto::coldVariants(const ModuleSummaryIndex &Index) {
  ColdVariants Result;
  // One variable in each module that has such functions.
  ValueInfo Lists = Index.getValueInfo(
      GlobalValue::getGUIDAssumingExternalLinkage("llvm.compiler.used"));
  if (!Lists)
    return Result;
  for (const auto &List : Lists.getSummaryList())
    for (ValueInfo Used : List->refs()) {
      Result.Any = true;
      if (Used.getSummaryList().empty() && !Used.name().empty())
        Result.Undefined.push_back(Used.name().str());
    }
  makeUnique(Result.Undefined);
  if (!haveRusts(Result))
    return Result;
  for (const auto &[GUID, Entry] : Index) {
    const ValueInfo Function = Index.getValueInfo(GUID);
    if (!isRustAllocator(Function.name()))
      continue;
    std::string Own = rustOwnAllocator(Function.name());
    const ValueInfo Is =
        Index.getValueInfo(GlobalValue::getGUIDAssumingExternalLinkage(Own));
    Result.HasOwnAllocator |=
        isOwn(Function) || (Is && !Is.getSummaryList().empty());
    Result.OwnAllocators.push_back(std::move(Own));
  }
  makeUnique(Result.OwnAllocators);
  return Result;
}

ColdVariants thermocline::lto::coldVariants(const Module &M) {
  ColdVariants Result;
  SmallVector<GlobalValue *, 4> Used;
  collectUsedGlobalVariables(M, Used, /*CompilerUsed=*/true);
  for (const GlobalValue *Is : Used) {
    Result.Any = true;
    if (Is->isDeclaration())
      Result.Undefined.push_back(Is->getName().str());
  }
  makeUnique(Result.Undefined);
  if (!haveRusts(Result))
    return Result;
  for (const llvm::Function &F : M) {
    if (!isRustAllocator(F.getName()))
      continue;
    std::string Own = rustOwnAllocator(F.getName());
    const llvm::Function *Is = M.getFunction(Own);
    Result.HasOwnAllocator |= isOwn(F) || (Is && !Is->isDeclaration());
    Result.OwnAllocators.push_back(std::move(Own));
  }
  makeUnique(Result.OwnAllocators);
  return Result;
}

static Hintable hintable(std::optional<apply::NotLowered> Kept, bool IsSure) {
  if (!Kept)
    return IsSure ? Hintable::Yes : Hintable::IfPointer;
  switch (*Kept) {
  case apply::NotLowered::Redefined:
    return Hintable::Redefined;
  case apply::NotLowered::NoVariant:
    return Hintable::NoVariant;
  case apply::NotLowered::OwnHint:
    return Hintable::OwnHint;
  default:
    return Hintable::No;
  }
}

Hintable thermocline::lto::hintable(annotate::CalledAllocator Calls,
                                    const apply::HintOptions &Options) {
  return ::hintable(apply::whyKept(Calls, Options),
                    apply::isSureToBeHinted(Calls, Options));
}

Hintable thermocline::lto::hintable(const CallBase &Call,
                                    annotate::CalledAllocator Calls,
                                    const apply::HintOptions &Options) {
  return ::hintable(apply::whyKept(Call, Options),
                    apply::isSureToBeHinted(Call, Calls, Options));
}
