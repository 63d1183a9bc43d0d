//===- Apply/CallRewriter.cpp - Versions call versions --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CallRewriter.h"
#include "thermocline/Apply/CallPromoter.h"
#include "thermocline/Apply/Remarks.h"
#include "thermocline/Callsites/OwnAddress.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Analysis/MemoryProfileInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

Expected<GlobalValue *> CallRewriter::versionOf(GlobalValue &Callee,
                                                unsigned Version) {
  std::string Name = versionName(Callee.getName(), Version);
  if (GlobalValue *Made = M.getNamedValue(Name))
    return Made;
  auto *F = cast<Function>(Callee.getAliaseeObject());
  // A copy for inlining is made elsewhere, and so are its versions.
  if (!Callee.isDeclarationForLinker() && !is_contained(MadeElsewhere, F))
    return recordError(
        M.getModuleIdentifier(), Name,
        "is called, but the index decides on fewer versions of " +
            Callee.getName());
  auto *Declared =
      Function::Create(F->getFunctionType(), GlobalValue::ExternalLinkage,
                       F->getAddressSpace(), Name, &M);
  Declared->setAttributes(F->getAttributes());
  Declared->setCallingConv(F->getCallingConv());
  Declared->setVisibility(GlobalValue::HiddenVisibility);
  Declared->setDSOLocal(true);
  return Declared;
}

Error CallRewriter::rewrite(const MatchedFunction &Matched,
                            const FunctionVersions &Versions,
                            OptimizationRemarkEmitter &Remarks) {
  for (const MatchedAllocation &Record : Matched.Allocations)
    for (const MissedHint &Missed : Record.Missed)
      Remarks.emit([&] { return remarkMissed(*Record.Call, Missed); });
  for (unsigned V = 0; V != Versions.size(); ++V) {
    for (const MatchedCall &Record : Matched.Calls) {
      unsigned CalleeVersion = Record.Clones[V];
      if (!CalleeVersion)
        continue;
      CallBase &Call = Versions.callIn(V, *Record.Call);
      auto *Callee =
          cast<GlobalValue>(Call.getCalledOperand()->stripPointerCasts());
      Expected<GlobalValue *> Target = versionOf(*Callee, CalleeVersion);
      if (!Target)
        return Target.takeError();
      // The call keeps its function type: a declaration that was imported from
      // another module may have one that is less complete.
      Call.setCalledOperand(*Target);
      ++Statistics.CallsRedirected;
      Remarks.emit([&] { return remarkCall(Call, **Target); });
    }
    for (const MatchedCandidate &Record : Matched.Candidates) {
      unsigned CalleeVersion = Record.Clones[V];
      if (!CalleeVersion)
        continue;
      Expected<GlobalValue *> Target = versionOf(*Record.Target, CalleeVersion);
      if (!Target)
        return Target.takeError();
      CallBase &Direct =
          promoteToVersion(Versions.callIn(V, *Record.Call), *Record.Target,
                           **Target, Record.GUID);
      // Where it is elsewhere, the index says so.
      if (auto *Compared =
              dyn_cast_or_null<Function>(Record.Target->getAliaseeObject());
          Compared && !Compared->isDeclarationForLinker())
        callsites::keepAddressOwn(*Compared);
      ++Statistics.CallsPromoted;
      Remarks.emit([&] { return remarkCall(Direct, **Target); });
    }
    for (const MatchedAllocation &Record : Matched.Allocations) {
      auto Type = static_cast<AllocationType>(Record.Versions[V]);
      if (Type != AllocationType::Cold && Type != AllocationType::NotCold &&
          Type != AllocationType::Hot)
        continue;
      CallBase &Call = Versions.callIn(V, *Record.Call);
      std::string Mark = memprof::getAllocTypeAttributeString(Type);
      memprof::removeAnyExistingAmbiguousAttribute(&Call);
      Call.addFnAttr(Attribute::get(Call.getContext(), "memprof", Mark));
      Remarks.emit([&] { return remarkAllocation(Call, Mark); });
    }
  }
  return Error::success();
}
