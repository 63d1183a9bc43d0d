//===- Apply/CandidateTargets.h - Targets of indirect calls --- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value profile of an indirect call names its targets by GUID. The module
// with the call may know none of them: it need not import or even declare them.
// But it must compare a pointer with the target, and call a version of it. So
// it gets a declaration by the name that the target has in the link.
//
// The index of a backend in the same process has all names. The index of a
// backend in another process has those that the thin link noted
// (Apply/IndexNotes.h).
//
// The linker does not see such a reference beforehand, and may have made the
// target local to its module. The target is then made visible to the link
// again. A target that was local from the start gets an alias that is visible.
// It keeps its own name, because ThinLTO's own imports may give it another.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_CANDIDATETARGETS_H
#define THERMOCLINE_APPLY_CANDIDATETARGETS_H

#include "thermocline/Apply/MatchedFunction.h"
#include "thermocline/Apply/SummaryLookup.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <unordered_map>

namespace thermocline::apply {

class CandidateTargets {
public:
  /// All arguments must outlive the object.
  CandidateTargets(llvm::Module &M, const llvm::ModuleSummaryIndex &Index,
                   const SummaryLookup &Summaries);

  /// Sets the targets of the candidates of \p Matched, declaring what the
  /// module does not have. The error names a target that cannot be named here:
  /// the index has no name for it, or it is local to another module.
  llvm::Error resolve(MatchedFunction &Matched);

  /// Makes functions visible to the link that other modules call only because
  /// of a decision, if LTO made them local. Returns whether there was any.
  bool exportTargets();

private:
  /// The index's entry for the target of \p Candidate: the local function, if
  /// the profile knows that by its name alone.
  llvm::ValueInfo entryOf(const MatchedCandidate &Candidate) const;
  /// The name in the link of the target of \p Candidate, which \p Caller calls.
  /// Empty if it has no name that another module may use.
  std::string nameInLink(const MatchedCandidate &Candidate,
                         const llvm::Function &Caller) const;
  /// What the module has by the name \p Name, which is declared if need be.
  llvm::GlobalValue *declare(const llvm::CallBase &Call, llvm::StringRef Name);
  llvm::GlobalValue *find(const MatchedCandidate &Candidate,
                          const llvm::Function &Caller);
  /// Gives \p F the name by which other modules call it, if they do. Returns
  /// whether it did.
  bool exportLocal(llvm::Function &F);
  /// Fills Known, the values of the module by GUID, when it is first needed.
  void indexModule();

  llvm::Module &M;
  const llvm::ModuleSummaryIndex &Index;
  const SummaryLookup &Summaries;
  bool Indexed = false;
  // GUIDs come from profiles, so no DenseMap: it reserves keys.
  std::unordered_map<llvm::GlobalValue::GUID, llvm::GlobalValue *> Known;
};

} // namespace thermocline::apply

#endif
