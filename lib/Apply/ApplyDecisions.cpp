//===- Apply/ApplyDecisions.cpp - A module as the index decided -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/ApplyDecisions.h"
#include "thermocline/Apply/CandidateTargets.h"
#include "thermocline/Apply/IndexNotes.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "thermocline/Apply/SummaryLookup.h"
#include "thermocline/Callsites/OwnAddress.h"
#include "thermocline/Support/Errors.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

namespace {

/// Whether another definition than \p F is linked, for which \p Summary
/// decides.
bool isCopy(const Function &F, const FunctionSummary *Summary,
            const SummaryLookup &Summaries) {
  return F.hasAvailableExternallyLinkage() ||
         (Summary && Summaries.isElsewhere(F, *Summary));
}

/// Whether other modules may have definitions of \p F, of which one is linked.
bool isInlineFunction(const Function &F) {
  return F.hasLinkOnceODRLinkage() || F.hasWeakODRLinkage();
}

/// Whether \p F has calls that its \p Summary, which has no record, would have
/// records of if it counted.
bool needsRecords(RecordMatcher &Matcher, Function &F,
                  const FunctionSummary &Summary) {
  Error Unmatched = Matcher.match(F, Summary).takeError();
  bool Result = !!Unmatched;
  consumeError(std::move(Unmatched));
  return Result;
}

/// Sees to it that calls of \p F, a copy that is not linked, reach what is.
void dropCopy(Function &F) {
  if (F.hasAvailableExternallyLinkage()) {
    F.deleteBody();
    F.setLinkage(GlobalValue::ExternalLinkage);
    F.setComdat(nullptr);
    return;
  }
  // Aliases need the body here. The linker discards it.
  F.removeFnAttr(Attribute::AlwaysInline);
  F.addFnAttr(Attribute::NoInline);
}

/// Finds the targets of indirect calls in \p Matched. Copies that call one
/// which this module cannot name move to \p Dropped.
Error resolveCandidates(CandidateTargets &Targets,
                        const SummaryLookup &Summaries,
                        std::vector<MatchedFunction> &Matched,
                        SmallVectorImpl<Function *> &Dropped) {
  Error Failed = Error::success();
  llvm::erase_if(Matched, [&](MatchedFunction &F) {
    Error E = Targets.resolve(F);
    if (!E)
      return false;
    if (isCopy(*F.F, Summaries.find(*F.F), Summaries)) {
      consumeError(std::move(E));
      Dropped.push_back(F.F);
      return true;
    }
    Failed = joinErrors(std::move(Failed), std::move(E));
    return false;
  });
  return Failed;
}

/// Matches all functions with contexts or records. Copies that cannot be
/// matched are listed in \p Dropped.
Expected<std::vector<MatchedFunction>>
matchAll(Module &M, const ModuleSummaryIndex &Index,
         const SummaryLookup &Summaries, SmallVectorImpl<Function *> &Dropped) {
  std::vector<MatchedFunction> Result;
  RecordMatcher Matcher(Index);
  for (Function &F : M) {
    if (F.isDeclaration())
      continue;
    const FunctionSummary *Summary = Summaries.find(F);
    bool IsCopy = isCopy(F, Summary, Summaries);
    bool HasRecords = Summary && (!Summary->callsites().empty() ||
                                  !Summary->allocs().empty());
    if (!hasContexts(F) && !HasRecords)
      continue;
    if (!HasRecords) {
      // All its contexts are at indirect calls without known targets, which
      // have no records. If nothing else defines it, no decision is missed.
      bool IsSole =
          Summary && (Summary->linkage() == GlobalValue::ExternalLinkage ||
                      GlobalValue::isLocalLinkage(Summary->linkage()));
      if (IsCopy && IsSole)
        continue;
      if (IsCopy)
        Dropped.push_back(&F);
      else if (!Summary)
        return recordError(M.getModuleIdentifier(), F.getName(),
                           "the function has contexts, but the index does not "
                           "know it");
      else if (isInlineFunction(F) && needsRecords(Matcher, F, *Summary))
        // It does not prevail, and the index has nothing of what does.
        Dropped.push_back(&F);
      continue;
    }
    Expected<MatchedFunction> Matched = Matcher.match(F, *Summary);
    if (Matched) {
      Result.push_back(std::move(*Matched));
    } else if (IsCopy) {
      consumeError(Matched.takeError());
      Dropped.push_back(&F);
    } else {
      return Matched.takeError();
    }
  }
  return std::move(Result);
}

/// Lets linkers keep those functions apart from others that pointers are
/// compared with in any module.
bool keepAddresses(Module &M, const SummaryLookup &Summaries) {
  bool Changed = false;
  for (Function &F : M) {
    if (F.isDeclarationForLinker())
      continue;
    ValueInfo VI = Summaries.findValue(F);
    const FunctionSummary *Definition = VI ? Summaries.own(VI) : nullptr;
    if (!Definition || !isNotedCompared(*Definition))
      continue;
    callsites::keepAddressOwn(F);
    Changed = true;
  }
  return Changed;
}

/// What the link left in \p Index for a backend in another process.
MissedBySummary readMissed(const ModuleSummaryIndex &Index,
                           const SummaryLookup &Summaries,
                           ArrayRef<MatchedFunction> Matched) {
  MissedBySummary Result;
  for (const MatchedFunction &F : Matched)
    if (const FunctionSummary *Summary = Summaries.find(*F.F);
        Summary && !F.Allocations.empty())
      if (auto Noted = notedMissed(Index, *Summary); !Noted.empty())
        Result[Summary] = std::move(Noted);
  return Result;
}

/// Takes the missed hints of originals. Remarks on a copy for inlining are
/// emitted where the original is compiled.
void takeMissed(const SummaryLookup &Summaries, const MissedBySummary &Missed,
                std::vector<MatchedFunction> &Matched) {
  for (MatchedFunction &F : Matched) {
    if (F.F->hasAvailableExternallyLinkage())
      continue;
    auto Found = Missed.find(Summaries.find(*F.F));
    if (Found != Missed.end())
      for (auto [Allocation, Hints] : zip_equal(F.Allocations, Found->second))
        Allocation.Missed = Hints;
  }
}

} // namespace

Expected<bool> thermocline::apply::applyDecisions(
    Module &M, const ModuleSummaryIndex &Index, const HintOptions &Options,
    const MissedBySummary &Missed, ApplyStatistics &Statistics) {
  SmallVector<Function *, 4> Dropped;
  SummaryLookup Summaries(M, Index);
  auto Matched = matchAll(M, Index, Summaries, Dropped);
  if (!Matched)
    return Matched.takeError();
  Statistics.FunctionsWithoutSizes +=
      count_if(*Matched, [](const MatchedFunction &F) {
        return F.LacksSizes && !F.F->hasAvailableExternallyLinkage();
      });
  MissedBySummary Noted;
  if (Missed.empty())
    Noted = readMissed(Index, Summaries, *Matched);
  takeMissed(Summaries, Missed.empty() ? Noted : Missed, *Matched);
  // Functions take the names that they have in the link before versions are
  // named after them.
  CandidateTargets Targets(M, Index, Summaries);
  bool Changed = Targets.exportTargets();
  if (Error E = resolveCandidates(Targets, Summaries, *Matched, Dropped))
    return std::move(E);

  for (Function *F : Dropped)
    dropCopy(*F);
  Statistics.CopiesDropped += Dropped.size();

  Changed |= !Dropped.empty();
  Expected<bool> Rewritten =
      rewriteModule(M, *Matched, Options, Statistics, Dropped);
  if (!Rewritten)
    return Rewritten.takeError();
  // Versions are compared with nothing.
  Changed |= keepAddresses(M, Summaries);
  return Changed || *Rewritten;
}
