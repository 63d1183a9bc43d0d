//===- Apply/CandidateTargets.h - Targets of indirect calls --- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The value profile of an indirect call names its targets by GUID, and the
// module that calls need not know any of them: not import, not even declare
// it. To compare a pointer with the target, and to call a version of it, the
// module gets a declaration by the name that the target has in the link.
//
// The index of a backend in the same process has all names; that of another
// process has those that the thin link noted (Apply/IndexNotes.h).
//
// The linker does not see such a reference beforehand, and may have made the
// target local to its module; there it is made visible to the link again.
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
  /// All must outlive the object.
  CandidateTargets(llvm::Module &M, const llvm::ModuleSummaryIndex &Index,
                   const SummaryLookup &Summaries);

  /// Sets the targets of the candidates of \p Matched, declaring what the
  /// module does not have. The error names a target that cannot be named here:
  /// the index has no name for it, or it is local to another module.
  llvm::Error resolve(MatchedFunction &Matched);

  /// Makes what other modules call because of a decision alone visible to the
  /// link, where LTO made it local. Returns whether there was any.
  bool exportTargets();

private:
  /// What the link calls the target of \p Candidate, which module \p Source
  /// calls; empty if it has no name that another module may use.
  std::string nameInLink(const MatchedCandidate &Candidate,
                         llvm::StringRef Source) const;
  llvm::GlobalValue *find(const MatchedCandidate &Candidate,
                          llvm::StringRef Source);
  /// The values of the module by GUID, filled at the first question.
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
