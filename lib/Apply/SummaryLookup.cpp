//===- Apply/SummaryLookup.cpp - Functions and their summaries ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/SummaryLookup.h"
#include "thermocline/Apply/IndexNotes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline::apply;

namespace {

/// What function import noted on a copy: "thinlto_src_module", "…_file".
StringRef importNote(const Function &F, StringRef Kind) {
  if (MDNode *Note = F.getMetadata(Kind))
    if (auto *Text = dyn_cast<MDString>(Note->getOperand(0)))
      return Text->getString();
  return "";
}

/// An imported alias is a copy of the function behind it, of which a written
/// index may have nothing.
const FunctionSummary *throughAlias(const GlobalValueSummary *S) {
  if (auto *Alias = dyn_cast_or_null<AliasSummary>(S))
    S = Alias->hasAliasee() ? Alias->getBaseObject() : nullptr;
  return dyn_cast_or_null<FunctionSummary>(S);
}

bool hasRecords(const GlobalValueSummary &S) {
  const FunctionSummary *FS = throughAlias(&S);
  return FS && (!FS->callsites().empty() || !FS->allocs().empty());
}

} // namespace

ValueInfo SummaryLookup::findValue(const GlobalValue &GV,
                                   const Function *User) const {
  if (ValueInfo VI = Index.getValueInfo(GV.getGUID()))
    return VI;
  // It was global when compiled and is local now.
  if (ValueInfo VI = Index.getValueInfo(
          GlobalValue::getGUIDAssumingExternalLinkage(GV.getName())))
    return VI;
  // It was local when compiled, in this source file or in the one that it was
  // imported from, and was promoted.
  StringRef Source;
  if (auto *F = dyn_cast<Function>(&GV))
    Source = importNote(*F, "thinlto_src_file");
  // Nothing is noted on a declaration.
  if (Source.empty() && User && GV.isDeclaration())
    Source = importNote(*User, "thinlto_src_file");
  if (Source.empty())
    Source = M.getSourceFileName();
  auto Local = [&](StringRef Name) {
    return Index.getValueInfo(GlobalValue::getGUIDAssumingExternalLinkage(
        GlobalValue::getGlobalIdentifier(Name, GlobalValue::InternalLinkage,
                                         Source)));
  };
  StringRef Name =
      ModuleSummaryIndex::getOriginalNameBeforePromote(GV.getName());
  if (ValueInfo VI = Local(Name))
    return VI;
  // The import of a function of the same name renamed the local one.
  auto [Base, Number] = Name.rsplit('.');
  if (GV.hasLocalLinkage() && !Number.empty() &&
      all_of(Number, [](char C) { return isDigit(C); }))
    return Local(Base);
  return ValueInfo();
}

StringRef SummaryLookup::sourceModule(const Function &F) const {
  StringRef Imported = importNote(F, "thinlto_src_module");
  return Imported.empty() ? StringRef(M.getModuleIdentifier()) : Imported;
}

static const GlobalValueSummary *summaryIn(ValueInfo VI, StringRef Module) {
  for (const auto &S : VI.getSummaryList())
    if (S->modulePath() == Module)
      return S.get();
  return nullptr;
}

const FunctionSummary *SummaryLookup::find(const Function &F) const {
  ValueInfo VI = findValue(F);
  if (!VI)
    return nullptr;
  const GlobalValueSummary *Found = summaryIn(VI, sourceModule(F));
  // A copy that does not prevail is compiled for inlining only. It must do as
  // the prevailing one was decided to, and that one has the records. One with
  // aliases is not marked as such a copy by LLVM.
  if ((F.hasAvailableExternallyLinkage() || F.hasLinkOnceODRLinkage() ||
       F.hasWeakODRLinkage()) &&
      (!Found || !hasRecords(*Found)))
    for (const auto &S : VI.getSummaryList())
      if (!GlobalValue::isLocalLinkage(S->linkage()) && hasRecords(*S))
        Found = S.get();
  return throughAlias(Found);
}

const FunctionSummary *SummaryLookup::own(ValueInfo VI) const {
  return throughAlias(summaryIn(VI, M.getModuleIdentifier()));
}

bool SummaryLookup::isElsewhere(const Function &F,
                                const FunctionSummary &Summary) const {
  return isNotedCopy(Summary) || Summary.modulePath() != sourceModule(F);
}
