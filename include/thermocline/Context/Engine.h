//===- Context/Engine.h - Decides versions for the whole link ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CONTEXT_ENGINE_H
#define THERMOCLINE_CONTEXT_ENGINE_H

#include "thermocline/Context/Decisions.h"
#include "llvm/ADT/StringRef.h"

namespace thermocline::context {

struct EngineOptions {
  /// Whether functions may get further versions. Off, only allocations all of
  /// whose contexts are cold are hinted.
  bool Clone = true;
  /// The most states that the exact search may unfold the program into; 0 for
  /// a limit that grows with the program. Past it the result of two versions a
  /// function stands, and the statistics say so.
  uint64_t MaxUnfoldedStates = 0;
};

/// What became of a context, from a closed list. The engine's own view; the
/// audit checks it.
enum class Outcome : uint8_t {
  /// A context profiled not-cold, which gets no cold hint.
  KeptNotCold,
  /// A cold context that reaches only cold versions.
  HintedCold,
  /// A frame of it matches no callsite of the link.
  UnmatchedFrame,
  /// One of its calls is indirect and cannot be redirected.
  IndirectCall,
  /// One of its callees is defined outside the link.
  OutsideLink,
  /// A function on its way cannot be cloned.
  NotClonable,
  /// It cannot be told apart from a context profiled not-cold.
  Collides,
};
constexpr unsigned NumOutcomes = static_cast<unsigned>(Outcome::Collides) + 1;

/// "hinted cold", "unmatched frame", ...: the text that reports print.
llvm::StringRef describe(Outcome O);

struct EngineStatistics {
  uint64_t ContextsByOutcome[NumOutcomes] = {};
  uint64_t BytesByOutcome[NumOutcomes] = {};
  /// Versions beyond the original, over all functions.
  uint64_t ClonesMade = 0;
  /// Functions with more than one version.
  uint64_t FunctionsCloned = 0;
  uint64_t InstructionsAdded = 0;
  /// Versions of allocations hinted cold.
  uint64_t HintsCold = 0;
  /// Unfolding met its limit: contexts that collide may have been separable.
  bool UnfoldingCutShort = false;
  /// Merging met its limit: nothing is lost, but more clones were made than a
  /// whole search would have needed.
  bool MergingCutShort = false;
};

struct EngineResult {
  Decisions Decided;
  /// By ContextId.
  std::vector<Outcome> Outcomes;
  EngineStatistics Statistics;
};

/// Decides on \p Program. Guarantees, whatever the input: no context profiled
/// not-cold reaches a version hinted cold; version 0 of an allocation is cold
/// only if all its contexts are; a callsite without a context that is worth
/// it keeps calling version 0; a function that is not clonable keeps one
/// version; the same program gives the same decisions.
EngineResult decide(const ContextProgram &Program,
                    const EngineOptions &Options = {});

} // namespace thermocline::context

#endif
