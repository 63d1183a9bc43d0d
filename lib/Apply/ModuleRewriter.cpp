//===- Apply/ModuleRewriter.cpp - A module as was decided -----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Annotate/AllocationFunctions.h"
#include "thermocline/Annotate/Metadata/PackedCarrier.h"
#include "thermocline/Apply/CallPromoter.h"
#include "thermocline/Apply/CallRewriter.h"
#include "thermocline/Apply/FunctionCloner.h"
#include "thermocline/Apply/Remarks.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline::apply;

Expected<bool> thermocline::apply::rewriteModule(
    Module &M, ArrayRef<MatchedFunction> Matched, const HintOptions &Options,
    ApplyStatistics &Statistics, ArrayRef<Function *> MadeElsewhere) {
  // All versions exist before a call is redirected, so that a call to a version
  // that this module makes finds it.
  FunctionCloner Cloner(M);
  std::vector<FunctionVersions> Versions;
  Versions.reserve(Matched.size());
  for (const MatchedFunction &F : Matched) {
    auto Made = Cloner.clone(*F.F, F.NumVersions);
    if (!Made)
      return Made.takeError();
    if (!F.F->hasAvailableExternallyLinkage())
      Statistics.ClonesMade += F.NumVersions - 1;
    Versions.push_back(std::move(*Made));
  }

  CallRewriter Rewriter(M, Statistics, MadeElsewhere);
  for (size_t I = 0, E = Matched.size(); I != E; ++I) {
    const MatchedFunction &F = Matched[I];
    OptimizationRemarkEmitter Remarks(F.F);
    for (unsigned V = 1; V < Versions[I].size(); ++V)
      Remarks.emit([&] { return remarkClone(*F.F, Versions[I][V]); });
    if (Error Failed = Rewriter.rewrite(F, Versions[I], Remarks))
      return std::move(Failed);
  }

  bool Changed = !Matched.empty();
  Changed |= stripContexts(M, /*Marks=*/false);
  Changed |= HintLowering(M, Options, Statistics).run();
  return Changed;
}

bool thermocline::apply::stripContexts(Module &M, bool Marks) {
  bool Changed = false;
  for (Function &F : M)
    for (Instruction &I : instructions(F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      // Where there are packed contexts, there is !memprof.
      if (Call->hasMetadata(LLVMContext::MD_memprof))
        annotate::removePackedName(*Call);
      for (unsigned Kind : {LLVMContext::MD_memprof, LLVMContext::MD_callsite})
        if (Call->hasMetadata(Kind)) {
          Call->setMetadata(Kind, nullptr);
          Changed = true;
        }
      Changed |= dropUncountedTargets(*Call);
      if (Marks && Call->getAttributes().hasFnAttr("memprof")) {
        Call->removeFnAttr("memprof");
        Call->removeFnAttr(annotate::BehindPointerAttribute);
        Changed = true;
      }
    }
  return Changed;
}
