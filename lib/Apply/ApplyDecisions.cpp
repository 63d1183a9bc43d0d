//===- Apply/ApplyDecisions.cpp - A module as the index decided -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Apply/ApplyDecisions.h"
#include "thermocline/Apply/ModuleRewriter.h"
#include "thermocline/Apply/RecordMatcher.h"
#include "thermocline/Apply/SummaryLookup.h"
#include "thermocline/Support/Errors.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::apply;

namespace {

void dropBody(Function &F) {
  F.deleteBody();
  F.setLinkage(GlobalValue::ExternalLinkage);
  F.setComdat(nullptr);
}

/// Finds the targets of indirect calls in \p Matched. Copies for inlining that
/// call one which this module cannot name move to \p Dropped.
Error resolveCandidates(CandidateTargets &Targets,
                        std::vector<MatchedFunction> &Matched,
                        SmallVectorImpl<Function *> &Dropped) {
  Error Failed = Error::success();
  llvm::erase_if(Matched, [&](MatchedFunction &F) {
    Error E = Targets.resolve(F);
    if (!E)
      return false;
    if (F.F->hasAvailableExternallyLinkage()) {
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
    bool IsCopy = F.hasAvailableExternallyLinkage();
    const FunctionSummary *Summary = Summaries.find(F);
    if (!hasContexts(F) && (!Summary || recordsOfTailCalls(*Summary).empty()))
      continue;
    bool HasRecords = Summary && (!Summary->callsites().empty() ||
                                  !Summary->allocs().empty());
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
      // Else its own records did not survive: it does not prevail, and what
      // does was not compiled here.
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

} // namespace

Expected<bool> thermocline::apply::applyDecisions(
    Module &M, const ModuleSummaryIndex &Index, const HintOptions &Options,
    const ExportedTargets &Exported, ApplyStatistics &Statistics) {
  SmallVector<Function *, 4> Dropped;
  SummaryLookup Summaries(M, Index);
  auto Matched = matchAll(M, Index, Summaries, Dropped);
  if (!Matched)
    return Matched.takeError();
  // Functions take the names that they have in the link before versions are
  // named after them.
  CandidateTargets Targets(M, Index, Summaries);
  if (Error E = resolveCandidates(Targets, *Matched, Dropped))
    return std::move(E);
  bool Changed = Targets.exportTargets(Exported);

  for (Function *F : Dropped)
    dropBody(*F);
  Statistics.CopiesDropped += Dropped.size();

  Changed |= !Dropped.empty();
  Expected<bool> Rewritten = rewriteModule(M, *Matched, Options, Statistics);
  if (!Rewritten)
    return Rewritten.takeError();
  return Changed || *Rewritten;
}
