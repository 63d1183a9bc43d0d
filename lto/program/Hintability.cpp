//===- lto/program/Hintability.cpp - Which allocations take a hint --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Hintability.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
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
                    apply::isSureToBeHinted(Calls, Options));
}
