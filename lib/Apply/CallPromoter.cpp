//===- Apply/CallPromoter.cpp - Versions behind indirect calls ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CallPromoter.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ProfDataUtils.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Transforms/Utils/CallPromotionUtils.h"
#include <limits>

using namespace llvm;
using namespace thermocline::apply;

/// Takes \p GUID out of the value profile of \p Call. Returns its count and
/// that of the rest.
static std::pair<uint64_t, uint64_t> takeTarget(CallBase &Call, uint64_t GUID) {
  uint64_t Total = 0;
  SmallVector<InstrProfValueData, 4> Targets = getValueProfDataFromInst(
      Call, IPVK_IndirectCallTarget, std::numeric_limits<uint32_t>::max(),
      Total, /*GetNoICPValue=*/true);
  uint64_t Count = 0;
  for (const InstrProfValueData &Target : Targets)
    if (Target.Value == GUID)
      Count = Target.Count;
  erase_if(Targets, [&](const InstrProfValueData &Target) {
    return Target.Value == GUID;
  });
  uint64_t Rest = Total - std::min(Count, Total);
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  if (Rest && !Targets.empty())
    annotateValueSite(*Call.getModule(), Call, Targets, Rest,
                      IPVK_IndirectCallTarget, Targets.size());
  return {Count, Rest};
}

bool thermocline::apply::dropUncountedTargets(CallBase &Call) {
  if (!isValueProfileMD(Call.getMetadata(LLVMContext::MD_prof)))
    return false;
  uint64_t Total = 0;
  SmallVector<InstrProfValueData, 4> Targets = getValueProfDataFromInst(
      Call, IPVK_IndirectCallTarget, std::numeric_limits<uint32_t>::max(),
      Total, /*GetNoICPValue=*/true);
  const size_t Before = Targets.size();
  erase_if(Targets,
           [](const InstrProfValueData &Target) { return !Target.Count; });
  if (Targets.size() == Before)
    return false;
  Call.setMetadata(LLVMContext::MD_prof, nullptr);
  if (!Targets.empty())
    annotateValueSite(*Call.getModule(), Call, Targets, Total,
                      IPVK_IndirectCallTarget, Targets.size());
  return true;
}

CallBase &thermocline::apply::promoteToVersion(CallBase &Call,
                                               GlobalValue &Target,
                                               GlobalValue &Version,
                                               uint64_t GUID) {
  auto [Count, Rest] = takeTarget(Call, GUID);
  MDNode *Weights = nullptr;
  // Without a count the heap profile alone names the target, and nothing is
  // known of how often it is called.
  if (Count)
    Weights = MDBuilder(Call.getContext())
                  .createBranchWeights(downscaleWeights({Count, Rest}));
  // LLVM promotes to functions of the call's type only. Pointers have no type,
  // so any function of that type may stand in while it does.
  Function *StandIn =
      Function::Create(Call.getFunctionType(), GlobalValue::ExternalLinkage,
                       Target.getAddressSpace(), "", Call.getModule());
  CallBase &Direct = promoteCallWithIfThenElse(Call, StandIn, Weights);
  Direct.setCalledOperand(&Version);
  StandIn->replaceAllUsesWith(&Target);
  StandIn->eraseFromParent();
  // LLVM takes two functions that are defined elsewhere for different ones, and
  // would not compare their addresses. One may be an alias of the other.
  if (Target.isDeclarationForLinker())
    Target.setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return Direct;
}
