//===- Engine/Split/Outcomes.h - What decisions come to ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows all resolved contexts through decisions at once, for the outcomes
// that the engine reports, and adds up what the decisions give and cost. (The
// audit does the same by itself, from the stack ids.)
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_OUTCOMES_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_OUTCOMES_H

#include "Match/Resolution.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// What each context came to, given decisions \p Decided that are well formed.
/// Cost: for each trie state, its versions times its calls.
std::vector<Outcome> outcomes(const ContextProgram &Program,
                              const Resolution &Resolved,
                              const Decisions &Decided);

/// \returns how many instructions the versions beyond the originals add.
uint64_t instructionsAdded(const ContextProgram &Program,
                           const Decisions &Decided);

/// Decisions, and what they come to.
struct EvaluatedDecisions {
  Decisions Decided;
  std::vector<Outcome> Outcomes;
  /// The sum of ContextProgram::benefit() over all that is hinted cold.
  uint64_t Benefit = 0;
};

EvaluatedDecisions evaluate(const ContextProgram &Program,
                            const Resolution &Resolved, Decisions Decided);

} // namespace thermocline::context

#endif
