//===- Apply/MatchedFunction.h - Decisions by instruction ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is to be done with one function. It does not matter who matched the
// instructions to decisions: RecordMatcher does so by the index in a ThinLTO
// backend, and the module reader for the merged module in regular LTO. From
// here on both take the same way (Apply/ModuleRewriter.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_MATCHEDFUNCTION_H
#define THERMOCLINE_APPLY_MATCHEDFUNCTION_H

#include "thermocline/Apply/MissedHint.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <vector>

namespace llvm {
class CallBase;
class Function;
} // namespace llvm

namespace thermocline::apply {

/// A call and the version of its callee that it calls in each version of its
/// function.
struct MatchedCall {
  llvm::CallBase *Call;
  /// Owned by the index, or by the decisions.
  llvm::ArrayRef<unsigned> Clones;
};

/// A target of an indirect call, as its value profile names it, that is called
/// in another version in at least one version of the function.
struct MatchedCandidate {
  llvm::CallBase *Call;
  /// The entry of the index. Empty if there is no index, or if the index was
  /// written for another module.
  llvm::ValueInfo Callee;
  /// The target's GUID in the value profile.
  uint64_t GUID;
  /// Owned by the index, or by the decisions.
  llvm::ArrayRef<unsigned> Clones;
  /// The function or alias in the module. With an index, CandidateTargets finds
  /// it.
  llvm::GlobalValue *Target = nullptr;
};

/// An allocation and its type (LLVM's AllocationType) in each version.
struct MatchedAllocation {
  llvm::CallBase *Call;
  llvm::SmallVector<uint8_t, 2> Versions;
  /// The missed hints to remark on; owned by whoever decided.
  llvm::ArrayRef<MissedHint> Missed = {};
};

struct MatchedFunction {
  llvm::Function *F = nullptr;
  unsigned NumVersions = 1;
  std::vector<MatchedCall> Calls;
  /// The candidates, in the order of the calls and of the targets in the value
  /// profile.
  std::vector<MatchedCandidate> Candidates;
  std::vector<MatchedAllocation> Allocations;
  /// Whether the summary lacks what contexts tell beside their frames.
  bool LacksSizes = false;
};

} // namespace thermocline::apply

#endif
