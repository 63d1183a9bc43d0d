//===- Apply/RecordMatcher.h - Summary records to calls ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of a function's summary are in the order that its instructions
// had when the summary was made. The backend sees the same instructions. So
// records and calls are matched by position, and each pair is checked by stack
// ids and callee.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_RECORDMATCHER_H
#define THERMOCLINE_APPLY_RECORDMATCHER_H

#include "thermocline/Apply/MatchedFunction.h"
#include "thermocline/Apply/SummaryLookup.h"
#include "llvm/Analysis/IndirectCallPromotionAnalysis.h"
#include "llvm/Support/Error.h"

namespace thermocline::apply {

class RecordMatcher {
public:
  explicit RecordMatcher(const llvm::ModuleSummaryIndex &Index)
      : Index(Index) {}

  /// Pairs the records of \p Summary with the calls of \p F. The error names
  /// module, function and call. It means that the summary was made of other
  /// bitcode, or that the index is damaged.
  llvm::Expected<MatchedFunction> match(llvm::Function &F,
                                        const llvm::FunctionSummary &Summary);

private:
  const llvm::ModuleSummaryIndex &Index;
  llvm::ICallPromotionAnalysis IndirectCalls;
};

/// The callsite records of \p Summary that calls with `!callsite` have.
llvm::ArrayRef<llvm::CallsiteInfo>
recordsOfCalls(const llvm::FunctionSummary &Summary);

/// The records that the thin link added. Each stands for all tail calls of one
/// callee that have no `!callsite`. They have no stack ids and come last.
llvm::ArrayRef<llvm::CallsiteInfo>
recordsOfTailCalls(const llvm::FunctionSummary &Summary);

/// Whether a call of \p F has `!memprof` or `!callsite`.
bool hasContexts(const llvm::Function &F);

} // namespace thermocline::apply

#endif
