//===- Engine/Split/Separation.h - As many told apart as can be -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The split as a whole: it decides as if clones may add any number of
// instructions. First each function gets two versions at most. If that misses a
// context that can be hinted, functions get as many versions as it takes, which
// are merged again as far as they do not disagree. Last, versions that do the
// same as another or serve nothing are removed.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_SEPARATION_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_SEPARATION_H

#include "Match/Resolution.h"
#include "SubsetConstruction.h"
#include "thermocline/Context/Decisions.h"
#include "thermocline/Engine/EngineOptions.h"

namespace thermocline::context {

struct Separation {
  Decisions Decided;
  /// The outcomes that Decided leads to, indexed by ContextId.
  std::vector<Outcome> Outcomes;
  /// See EngineResult::CollidesWith.
  std::vector<ContextId> CollidesWith;
  /// Whether Decided came from merging states.
  bool IsMerged = false;
  /// These mean the same as in EngineStatistics.
  /// @{
  bool SubsetsCutShort = false;
  bool MergingCutShort = false;
  /// @}
};

/// Separates as many contexts as can be. It ignores those \p Options that limit
/// what the clones add.
Separation separate(const ContextProgram &Program, const Resolution &Resolved,
                    const EngineOptions &Options);

/// Makes decisions with one version of each function. A strict allocation is
/// cold only if the profile says so of whatever calls its function.
Decisions withoutClones(const ContextProgram &Program,
                        const StrictAllocations &Strict);

} // namespace thermocline::context

#endif
