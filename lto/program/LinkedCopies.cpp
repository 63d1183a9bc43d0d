//===- lto/program/LinkedCopies.cpp - Copies without the profile ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinkedCopies.h"
#include "ModuleReader.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSummaryIndex.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::lto;

/// The summary of the function that is linked instead of that of \p Module, if
/// it has no records; null otherwise.
static const FunctionSummary *linkedInstead(ValueInfo VI, StringRef Module) {
  const FunctionSummary *Linked = nullptr;
  bool HasOwn = false;
  for (const auto &S : VI.getSummaryList()) {
    HasOwn |= S->modulePath() == Module;
    if (auto *FS = dyn_cast<FunctionSummary>(S.get());
        FS && !GlobalValue::isAvailableExternallyLinkage(FS->linkage()))
      Linked = FS;
  }
  return HasOwn && Linked && Linked->modulePath() != Module &&
                 Linked->callsites().empty() && Linked->allocs().empty()
             ? Linked
             : nullptr;
}

/// The innermost stack ids of the calls of \p F that contexts have.
static std::vector<uint64_t> callsOf(const llvm::Function &F) {
  std::vector<uint64_t> Result;
  for (const Instruction &I : instructions(F)) {
    const MDNode *Site = I.getMetadata(LLVMContext::MD_callsite);
    if (!Site || I.hasMetadata(LLVMContext::MD_memprof) ||
        !Site->getNumOperands())
      continue;
    if (auto *Id = mdconst::dyn_extract<ConstantInt>(Site->getOperand(0)))
      Result.push_back(Id->getZExtValue());
  }
  return Result;
}

void thermocline::lto::addCopies(const Module &M,
                                 const ModuleSummaryIndex &Index,
                                 CopiesWithoutProfile &Copies) {
  for (const llvm::Function &F : M) {
    // What was imported is judged where it is from.
    if (!F.hasAvailableExternallyLinkage() ||
        F.hasMetadata("thinlto_src_module") || !apply::hasContexts(F))
      continue;
    const ValueInfo VI = Index.getValueInfo(F.getGUID());
    const FunctionSummary *Linked =
        VI ? linkedInstead(VI, M.getModuleIdentifier()) : nullptr;
    if (!Linked)
      continue;
    CopyWithoutProfile Found = {Linked->modulePath().str(),
                                M.getModuleIdentifier(), callsOf(F),
                                coldContextsOf(F)};
    auto [It, New] = Copies.try_emplace(F.getName().str(), Found);
    if (!New && Found.Profiled < It->second.Profiled)
      It->second = std::move(Found);
  }
}
