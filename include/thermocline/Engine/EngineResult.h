//===- Engine/EngineResult.h - What was decided on a link -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ENGINE_ENGINERESULT_H
#define THERMOCLINE_ENGINE_ENGINERESULT_H

#include "thermocline/Context/Decisions.h"
#include "thermocline/Engine/Outcome.h"
#include <vector>

namespace thermocline::context {

struct EngineStatistics {
  uint64_t ContextsByOutcome[NumOutcomes] = {};
  uint64_t BytesByOutcome[NumOutcomes] = {};
  /// Versions beyond the original, over all functions.
  uint64_t ClonesMade = 0;
  uint64_t InstructionsAdded = 0;
  /// Instructions that would have been added without
  /// EngineOptions::MaxInstructionsAdded. The contexts that it left out have
  /// Outcome::OverBudget.
  uint64_t InstructionsWanted = 0;
  /// Versions of allocations hinted cold.
  uint64_t HintsCold = 0;
  /// The subset construction met its limit: contexts that collide may have been
  /// separable.
  bool SubsetsCutShort = false;
  /// Merging met its limit: nothing is lost, but more clones were made than a
  /// complete search would have needed.
  bool MergingCutShort = false;
};

struct EngineResult {
  Decisions Decided;
  /// The outcome of each context. Indexed by ContextId.
  std::vector<Outcome> Outcomes;
  /// For an outcome of Collides, a not-cold context that must run in the same
  /// version of the allocation, if one can be named; else none. Indexed by
  /// ContextId.
  std::vector<ContextId> CollidesWith;
  EngineStatistics Statistics;
};

} // namespace thermocline::context

#endif
