//===- Apply/CandidateTargets.cpp - Targets of indirect calls -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/CandidateTargets.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/LocalNames.h"
#include "thermocline/Support/Units.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include <set>

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
    // As profiles know a local function. Once it was promoted, or made global
    // to split its module, a written index does not tell.
    StringRef Name = nameBeforeSplit(
        ModuleSummaryIndex::getOriginalNameBeforePromote(GV.getName()));
    if (profile::isUniqueLocalName(Name))
      Known.try_emplace(GlobalValue::getGUIDAssumingExternalLinkage(Name), &GV);
  };
  for (Function &F : M)
    if (!F.isIntrinsic())
      Add(F);
  for (GlobalAlias &A : M.aliases())
    if (isa<Function>(A.getAliaseeObject()))
      Add(A);
}

ValueInfo CandidateTargets::entryOf(const MatchedCandidate &Candidate) const {
  ValueInfo Callee = Candidate.Callee;
  if (Callee && !Callee.getSummaryList().empty())
    return Callee;
  // A written index may have nothing of the callee but that.
  GlobalValue::GUID Local = Index.getGUIDFromOriginalID(Candidate.GUID);
  ValueInfo Found = Local ? Index.getValueInfo(Local) : ValueInfo();
  return Found ? Found : Callee;
}

std::string CandidateTargets::nameInLink(const MatchedCandidate &Candidate,
                                         const Function &Caller) const {
  StringRef Source = Summaries.sourceModule(Caller);
  ValueInfo Callee = entryOf(Candidate);
  StringRef Name = Callee ? Callee.name() : "";
  if (Name.empty())
    return notedName(Index, Candidate.GUID).str();
  if (Callee.getGUID() == GlobalValue::getGUIDAssumingExternalLinkage(Name))
    return Name.str();
  // A local function of the module that the call was written in. It has a name
  // in the link if it was promoted.
  for (const auto &S : Callee.getSummaryList())
    if (S->modulePath() == Source && !GlobalValue::isLocalLinkage(S->linkage()))
      return ModuleSummaryIndex::getGlobalNameForLocal(
          Name, Index.getModuleHash(S->modulePath()));
  return "";
}

GlobalValue *CandidateTargets::declare(const CallBase &Call, StringRef Name) {
  GlobalValue *Target = M.getNamedValue(Name);
  if (Target && Target->hasLocalLinkage()) {
    // Another function of this name. Names of locals mean nothing to the link,
    // and the versions of the two must not share theirs.
    Target->setName(Name + ".local");
    Target = nullptr;
  }
  if (Target)
    return Target;
  auto *Declared =
      Function::Create(Call.getFunctionType(), GlobalValue::ExternalLinkage,
                       M.getDataLayout().getProgramAddressSpace(), Name, &M);
  Declared->setCallingConv(Call.getCallingConv());
  return Declared;
}

GlobalValue *CandidateTargets::find(const MatchedCandidate &Candidate,
                                    const Function &Caller) {
  indexModule();
  ValueInfo Callee = entryOf(Candidate);
  GlobalValue::GUID GUID = Callee ? Callee.getGUID() : Candidate.GUID;
  auto Found = Known.find(GUID);
  if (Found == Known.end())
    Found = Known.find(Candidate.GUID);
  const FunctionSummary *Summary = Summaries.find(Caller);
  StringRef Alias =
      Summary ? notedLocalTarget(Index, *Summary, Candidate.GUID) : "";
  // Whether the module declares a local function of another one, by the name
  // that ThinLTO gives it, not every index tells.
  if (Found != Known.end() &&
      (Alias.empty() || !Found->second->isDeclaration()))
    return Found->second;
  if (!Alias.empty()) {
    GlobalValue *Target = declare(*Candidate.Call, Alias);
    // The same function has another name as well. LLVM would take two functions
    // for different, but not if one may be redefined.
    if (Target->isDeclaration())
      Target->setLinkage(GlobalValue::ExternalWeakLinkage);
    Target->setVisibility(GlobalValue::HiddenVisibility);
    return Target;
  }
  std::string Name = nameInLink(Candidate, Caller);
  if (Name.empty())
    return nullptr;
  return Known.try_emplace(GUID, declare(*Candidate.Call, Name)).first->second;
}

Error CandidateTargets::resolve(MatchedFunction &Matched) {
  for (MatchedCandidate &Candidate : Matched.Candidates) {
    Candidate.Target = find(Candidate, *Matched.F);
    if (!Candidate.Target)
      return recordError(
          M.getModuleIdentifier(), Matched.F->getName(),
          "an indirect call is to call a version of " +
              (Candidate.Callee && !Candidate.Callee.name().empty()
                   ? Candidate.Callee.name().str()
                   : hexText(Candidate.GUID)) +
              ", which this module cannot name");
  }
  // Both profiles may name one function, each in its way. Counters come first.
  std::set<std::pair<const CallBase *, const GlobalValue *>> Known;
  llvm::erase_if(Matched.Candidates, [&](const MatchedCandidate &Candidate) {
    return !Known.insert({Candidate.Call, Candidate.Target}).second;
  });
  return Error::success();
}

bool CandidateTargets::exportLocal(Function &F) {
  if (F.isDeclarationForLinker())
    return false;
  ValueInfo VI = Summaries.findValue(F);
  const FunctionSummary *Definition = VI ? Summaries.own(VI) : nullptr;
  StringRef Name = Definition ? notedLocalExport(Index, *Definition) : "";
  if (Name.empty())
    return false;
  auto *Visible =
      GlobalAlias::create(F.getValueType(), F.getAddressSpace(),
                          GlobalValue::ExternalLinkage, Name, &F, &M);
  Visible->setVisibility(GlobalValue::HiddenVisibility);
  Visible->setDSOLocal(true);
  return true;
}

bool CandidateTargets::exportTargets() {
  bool Changed = false;
  for (Function &F : M)
    Changed |= exportLocal(F);
  auto Export = [&](GlobalValue &GV) {
    if (!GV.hasLocalLinkage())
      return;
    ValueInfo VI = Summaries.findValue(GV);
    const FunctionSummary *Definition = VI ? Summaries.own(VI) : nullptr;
    if (!Definition || !isNotedExport(*Definition, VI.getGUID()))
      return;
    GV.setLinkage(GlobalValue::ExternalLinkage);
    // The linker found that no other program or library needs it.
    GV.setVisibility(GlobalValue::HiddenVisibility);
    GV.setDSOLocal(true);
    Changed = true;
  };
  for (Function &F : M)
    Export(F);
  for (GlobalAlias &A : M.aliases())
    Export(A);
  return Changed;
}
