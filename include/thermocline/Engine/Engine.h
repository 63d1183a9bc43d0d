//===- Engine/Engine.h - Decides versions for the whole link ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ENGINE_ENGINE_H
#define THERMOCLINE_ENGINE_ENGINE_H

#include "thermocline/Context/Decisions.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace thermocline::context {

struct EngineOptions {
  /// Whether functions may get further versions. Off, only allocations all of
  /// whose contexts are cold are hinted.
  bool Clone = true;
  /// Whether a call that no profiled context takes must never lead to a cold
  /// hint. Off, it calls what is best for the contexts that were profiled.
  bool Strict = false;
  /// The most instructions that clones may add; none for no limit. What is
  /// left out is what costs most for the least ContextProgram::worth().
  std::optional<uint64_t> MaxInstructionsAdded = std::nullopt;
  /// The most bytes profiled not-cold that may be hinted cold, where that saves
  /// more cold bytes.
  Bytes MaxFalseCold = {};
  /// Cold contexts of fewer bytes are no reason for a clone. Contexts whose
  /// size is not known are always reason enough.
  Bytes MinContextSize = {};
  /// Threads to use; the decisions do not depend on it.
  unsigned Threads = 1;
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
  /// A frame of it is missing because of a tail call, and several chains of
  /// tail calls could have been there.
  AmbiguousTailCall,
  /// It cannot be told apart from a context profiled not-cold:
  /// EngineResult::CollidesWith names it.
  Collides,
  /// The clones that it needs do not fit EngineOptions::MaxInstructionsAdded.
  OverBudget,
  /// It has fewer bytes than EngineOptions::MinContextSize.
  WorthTooLittle,
  /// A context profiled not-cold that is hinted cold all the same, within
  /// EngineOptions::MaxFalseCold.
  FalseCold,
  /// A cold context whose calls were inlined, with a copy of the allocation
  /// where it ran: that copy's context has an outcome of its own.
  RanElsewhere,
};
constexpr unsigned NumOutcomes =
    static_cast<unsigned>(Outcome::RanElsewhere) + 1;

/// Whether \p O is of a context profiled cold that counts.
inline bool isOfCold(Outcome O) {
  return O != Outcome::KeptNotCold && O != Outcome::FalseCold &&
         O != Outcome::RanElsewhere;
}

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
  /// What would have been added without EngineOptions::MaxInstructionsAdded.
  /// The contexts that it left out are those of Outcome::OverBudget.
  uint64_t InstructionsWanted = 0;
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
  /// By ContextId: for what Collides, a not-cold context that must run in the
  /// same version of the allocation, where one can be named; else none.
  std::vector<ContextId> CollidesWith;
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
