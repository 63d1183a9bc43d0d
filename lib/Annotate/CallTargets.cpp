//===- Annotate/CallTargets.cpp - What indirect calls led to --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Annotate/CallTargets.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/ProfileData/InstrProf.h"
#include <limits>

using namespace llvm;
using namespace thermocline;
using namespace thermocline::annotate;

bool thermocline::annotate::mayCall(const CallBase &Call, const Function &F) {
  const FunctionType *CalleeType = F.getFunctionType(),
                     *CallType = Call.getFunctionType();
  if (CalleeType == CallType || CalleeType->isVarArg() || CallType->isVarArg())
    return true;
  // A function type contains its result, then its parameters.
  return equal(CalleeType->subtypes(), CallType->subtypes(),
               [](Type *A, Type *B) {
                 return A == B || (A->isStructTy() && B->isStructTy());
               });
}

/// Lets the link know \p F, a local function whose name others may have, by its
/// GUID in this module. Regular LTO merges it into another one.
static void keepGUID(Function &F) {
  createPGOFuncNameMetadata(
      F, GlobalValue::getGlobalIdentifier(F.getName(), F.getLinkage(),
                                          F.getParent()->getSourceFileName()));
}

void CallTargets::addTargets(const CallBase &Call, GlobalValue::GUID Callee,
                             SmallVectorImpl<Target> &Targets) {
  if (!Functions) {
    Functions.emplace();
    for (Function &F : M)
      if (!F.isIntrinsic())
        (*Functions)[profile::sourceGUID(
                         GlobalValue::dropLLVMManglingEscape(F.getName()))]
            .push_back(&F);
  }
  auto Found = Functions->find(Callee);
  if (Found == Functions->end()) {
    Targets.push_back({Callee, Callee});
    return;
  }
  // A coroutine that was split is several functions. One that was not is none
  // that a pointer leads to: what resumes it calls what it is split into.
  for (Function *F : Found->second) {
    if (F->isPresplitCoroutine() || !mayCall(Call, *F))
      continue;
    GlobalValue::GUID GUID = F->getGUID();
    // A name that is unique in the link serves there in every kind of LTO.
    if (F->hasLocalLinkage() && profile::isUniqueLocalName(F->getName())) {
      Targets.push_back(
          {GlobalValue::getGUIDAssumingExternalLinkage(F->getName()), GUID});
      continue;
    }
    Targets.push_back({GUID, GUID});
    if (F->hasLocalLinkage())
      keepGUID(*F);
  }
}

unsigned CallTargets::attach(CallBase &Call,
                             ArrayRef<GlobalValue::GUID> Callees) {
  MDNode *Counts = Call.getMetadata(LLVMContext::MD_prof);
  if (Callees.empty() || (Counts && !isValueProfileMD(Counts)))
    return 0;
  uint64_t Total = 0;
  SmallVector<InstrProfValueData, 4> Profiled = getValueProfDataFromInst(
      Call, IPVK_IndirectCallTarget, std::numeric_limits<uint32_t>::max(),
      Total, /*GetNoICPValue=*/true);
  SmallVector<Target, 4> Targets;
  for (GlobalValue::GUID Callee : Callees)
    addTargets(Call, Callee, Targets);
  unsigned Added = 0;
  for (const Target &T : Targets) {
    if (any_of(Profiled, [&](const InstrProfValueData &Known) {
          return Known.Value == T.GUID || Known.Value == T.Counted;
        }))
      continue;
    Profiled.push_back({T.GUID, /*Count=*/0});
    ++Added;
  }
  if (Added)
    annotateValueSite(M, Call, Profiled, std::max<uint64_t>(Total, 1),
                      IPVK_IndirectCallTarget, Profiled.size());
  return Added;
}
