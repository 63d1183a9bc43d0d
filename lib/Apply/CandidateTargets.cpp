//===- Apply/CandidateTargets.cpp - Targets of indirect calls -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CandidateTargets.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

CandidateTargets::CandidateTargets(Module &M, const ModuleSummaryIndex &Index,
                                   const SummaryLookup &Summaries)
    : M(M), Index(Index), Summaries(Summaries) {}

void CandidateTargets::indexModule() {
  if (Indexed)
    return;
  Indexed = true;
  auto Add = [&](GlobalValue &GV) {
    if (ValueInfo VI = Summaries.findValue(GV))
      Known.try_emplace(VI.getGUID(), &GV);
  };
  for (Function &F : M)
    if (!F.isIntrinsic())
      Add(F);
  for (GlobalAlias &A : M.aliases())
    if (isa<Function>(A.getAliaseeObject()))
      Add(A);
}

std::string CandidateTargets::nameInLink(ValueInfo Callee,
                                         StringRef Source) const {
  StringRef Name = Callee.name();
  if (Name.empty() ||
      Callee.getGUID() == GlobalValue::getGUIDAssumingExternalLinkage(Name))
    return Name.str();
  // A local function of the module that the call was written in. It has a name
  // in the link if it was promoted.
  for (const auto &S : Callee.getSummaryList())
    if (S->modulePath() == Source && !GlobalValue::isLocalLinkage(S->linkage()))
      return ModuleSummaryIndex::getGlobalNameForLocal(
          Name, Index.getModuleHash(S->modulePath()));
  return "";
}

GlobalValue *CandidateTargets::find(ValueInfo Callee, StringRef Source,
                                    const CallBase &Call) {
  indexModule();
  if (auto Found = Known.find(Callee.getGUID()); Found != Known.end())
    return Found->second;
  std::string Name = nameInLink(Callee, Source);
  if (Name.empty())
    return nullptr;
  GlobalValue *Target = M.getNamedValue(Name);
  if (Target && Target->hasLocalLinkage()) {
    // Another function of this name. Names of locals mean nothing to the link,
    // and the versions of the two must not share theirs.
    Target->setName(Name + ".local");
    Target = nullptr;
  }
  if (!Target) {
    auto *Declared =
        Function::Create(Call.getFunctionType(), GlobalValue::ExternalLinkage,
                         M.getDataLayout().getProgramAddressSpace(), Name, &M);
    Declared->setCallingConv(Call.getCallingConv());
    Target = Declared;
  }
  Known.try_emplace(Callee.getGUID(), Target);
  return Target;
}

Error CandidateTargets::resolve(MatchedFunction &Matched) {
  for (MatchedCandidate &Candidate : Matched.Candidates) {
    Candidate.Target = find(
        Candidate.Callee, Summaries.sourceModule(*Matched.F), *Candidate.Call);
    if (!Candidate.Target)
      return recordError(M.getModuleIdentifier(), Matched.F->getName(),
                         "an indirect call is to call a version of " +
                             (Candidate.Callee.name().empty()
                                  ? "0x" + utohexstr(Candidate.Callee.getGUID(),
                                                     /*LowerCase=*/true)
                                  : Candidate.Callee.name().str()) +
                             ", which this module cannot name");
  }
  return Error::success();
}

bool CandidateTargets::exportTargets(const ExportedTargets &Exported) {
  if (Exported.empty())
    return false;
  indexModule();
  bool Changed = false;
  for (GlobalValue::GUID GUID : Exported) {
    auto Found = Known.find(GUID);
    if (Found == Known.end() || !Found->second->hasLocalLinkage())
      continue;
    GlobalValue &GV = *Found->second;
    GV.setLinkage(GlobalValue::ExternalLinkage);
    // The linker found that no other program or library needs it.
    GV.setVisibility(GlobalValue::HiddenVisibility);
    GV.setDSOLocal(true);
    Changed = true;
  }
  return Changed;
}
