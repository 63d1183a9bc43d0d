//===- Apply/RecordMatcher.h - Summary records to calls ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of a function's summary are in the order of its instructions when
// the summary was made. The backend sees those same instructions, so that
// record and call are matched by position, and each pair is checked by stack
// ids and callee.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_RECORDMATCHER_H
#define THERMOCLINE_APPLY_RECORDMATCHER_H

#include "thermocline/Apply/SummaryLookup.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Analysis/IndirectCallPromotionAnalysis.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace llvm {
class CallBase;
}

namespace thermocline::apply {

/// A call and the version of its callee that it calls in each version of its
/// function.
struct MatchedCall {
  llvm::CallBase *Call;
  /// Owned by the index.
  llvm::ArrayRef<unsigned> Clones;
};

/// A target of an indirect call, as its value profile names it, that is called
/// in another version in at least one version of the function.
struct MatchedCandidate {
  llvm::CallBase *Call;
  llvm::ValueInfo Callee;
  /// The target's GUID in the value profile.
  uint64_t GUID;
  /// Owned by the index.
  llvm::ArrayRef<unsigned> Clones;
  /// The function or alias in the module, once CandidateTargets found it.
  llvm::GlobalValue *Target = nullptr;
};

/// An allocation and its type (LLVM's AllocationType) in each version.
struct MatchedAllocation {
  llvm::CallBase *Call;
  /// Owned by the index.
  llvm::ArrayRef<uint8_t> Versions;
};

struct MatchedFunction {
  llvm::Function *F = nullptr;
  unsigned NumVersions = 1;
  std::vector<MatchedCall> Calls;
  /// In the order of the calls, and of the targets in the value profile.
  std::vector<MatchedCandidate> Candidates;
  std::vector<MatchedAllocation> Allocations;
};

class RecordMatcher {
public:
  explicit RecordMatcher(const llvm::ModuleSummaryIndex &Index)
      : Index(Index) {}

  /// Pairs the records of \p Summary with the calls of \p F. The error names
  /// module, function and call: the bitcode is not what the summary was made
  /// of, or the index is damaged.
  llvm::Expected<MatchedFunction> match(llvm::Function &F,
                                        const llvm::FunctionSummary &Summary);

private:
  const llvm::ModuleSummaryIndex &Index;
  llvm::ICallPromotionAnalysis IndirectCalls;
};

/// Whether a call of \p F has `!memprof` or `!callsite`.
bool hasContexts(const llvm::Function &F);

} // namespace thermocline::apply

#endif
