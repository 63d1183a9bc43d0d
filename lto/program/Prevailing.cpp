//===- lto/program/Prevailing.cpp - Which copy is linked ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Prevailing.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Support/LocalNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalValue.h"

using namespace llvm;
using namespace thermocline::lto;

namespace {

bool isLocal(const GlobalValueSummary &S) {
  return GlobalValue::isLocalLinkage(S.linkage());
}

bool prevails(GlobalValue::GUID GUID, const GlobalValueSummary &S,
              IsPrevailing Prevailing) {
  // The linker resolves no local symbols: each is its own only copy.
  return isLocal(S) || Prevailing(GUID, &S);
}

} // namespace

bool thermocline::lto::counts(const ModuleSummaryIndex &Index,
                              GlobalValue::GUID GUID, const FunctionSummary &S,
                              IsPrevailing Prevailing) {
  return Index.isGlobalValueLive(&S) && prevails(GUID, S, Prevailing);
}

FunctionSummary *thermocline::lto::resolveCallee(ValueInfo Callee,
                                                 StringRef CallerModule,
                                                 IsPrevailing Prevailing) {
  // Local functions of one name in several modules share a GUID where their
  // source files have the same name; a call reaches the one in its own module.
  GlobalValueSummary *Found = nullptr;
  for (const auto &S : Callee.getSummaryList()) {
    if (isLocal(*S) ? S->modulePath() == CallerModule
                    : Prevailing(Callee.getGUID(), S.get())) {
      Found = S.get();
      if (isLocal(*S))
        break;
    }
  }
  if (!Found || GlobalValue::isInterposableLinkage(Found->linkage()))
    return nullptr;
  auto *Alias = dyn_cast<AliasSummary>(Found);
  if (!Alias)
    return dyn_cast<FunctionSummary>(Found);
  if (!Alias->hasAliasee())
    return nullptr;
  auto *Base = dyn_cast<FunctionSummary>(Alias->getBaseObject());
  // An alias may prevail while the function behind it does not; versions of it
  // are then made elsewhere, under another alias.
  if (!Base || !prevails(Alias->getAliaseeGUID(), *Base, Prevailing))
    return nullptr;
  return Base;
}

void thermocline::lto::noteNamesBeforeSplit(ModuleSummaryIndex &Index) {
  // A name that clang made unique is one function's, or of several modules of
  // one source file, which then stand for none.
  for (const auto &[GUID, Info] : Index) {
    const StringRef Name = Index.getValueInfo(GUID).name(),
                    Before = nameBeforeSplit(Name);
    if (Before != Name && profile::isUniqueLocalName(Before))
      Index.addOriginalName(
          GUID, GlobalValue::getGUIDAssumingExternalLinkage(Before));
  }
}

ValueInfo thermocline::lto::namedByProfile(const ModuleSummaryIndex &Index,
                                           ValueInfo Callee) {
  if (!Callee.getSummaryList().empty())
    return Callee;
  GlobalValue::GUID Local = Index.getGUIDFromOriginalID(Callee.getGUID());
  ValueInfo Found = Local ? Index.getValueInfo(Local) : ValueInfo();
  // Another name may be that of a function outside the link, too.
  return Found && profile::isUniqueLocalName(Found.name()) ? Found : Callee;
}

FunctionSummary *
thermocline::lto::resolveTarget(const ModuleSummaryIndex &Index,
                                ValueInfo Callee, const FunctionSummary &Caller,
                                IsPrevailing Prevailing) {
  ValueInfo Named = namedByProfile(Index, Callee);
  if (FunctionSummary *Found =
          resolveCallee(Named, Caller.modulePath(), Prevailing))
    return Found;
  // A callback in another module. Its name must be its own in the whole link.
  if (Named.getSummaryList().size() != 1 ||
      !profile::isUniqueLocalName(Named.name()))
    return nullptr;
  GlobalValueSummary *Only = Named.getSummaryList().front().get();
  return isLocal(*Only) ? dyn_cast<FunctionSummary>(Only) : nullptr;
}

bool thermocline::lto::isLocalElsewhere(const ModuleSummaryIndex &Index,
                                        ValueInfo Callee) {
  if (Callee.getSummaryList().empty())
    return Index.getGUIDFromOriginalID(Callee.getGUID()) != 0;
  return all_of(Callee.getSummaryList(),
                [](const auto &S) { return isLocal(*S); });
}

uint64_t thermocline::lto::countInstructions(const ModuleSummaryIndex &Index,
                                             IsPrevailing Prevailing) {
  uint64_t Result = 0;
  for (const auto &[GUID, Info] : Index)
    for (const auto &S : Info.getSummaryList())
      if (auto *FS = dyn_cast<FunctionSummary>(S.get()))
        if (counts(Index, GUID, *FS, Prevailing))
          Result += FS->instCount();
  return Result;
}
