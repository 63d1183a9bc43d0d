//===- Engine/EngineOptions.h - What limits the decisions -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ENGINE_ENGINEOPTIONS_H
#define THERMOCLINE_ENGINE_ENGINEOPTIONS_H

#include "thermocline/Support/Units.h"
#include <cstdint>
#include <optional>

namespace thermocline::context {

struct EngineOptions {
  /// Whether functions may get further versions. If not, only allocations all
  /// of whose contexts are cold are hinted.
  bool Clone = true;
  /// Whether a call that no profiled context takes must never lead to a cold
  /// hint. If not, it calls the version that is best for the contexts that were
  /// profiled.
  bool Strict = false;
  /// The most instructions that clones may add; none means no limit. What does
  /// not fit is left out, beginning with what costs most for the least
  /// ContextProgram::benefit().
  std::optional<uint64_t> MaxInstructionsAdded = std::nullopt;
  /// The most bytes profiled not-cold that may be hinted cold, where that saves
  /// more cold bytes.
  Bytes MaxFalseCold = {};
  /// Cold contexts of fewer bytes are no reason for a clone. Contexts whose
  /// size is not known are always reason enough.
  Bytes MinContextSize = {};
  /// The most states of the subset construction; 0 for a limit that grows with
  /// the program. If there would be more, the result with two versions of each
  /// function stands, and the statistics say so.
  uint64_t MaxStates = 0;
};

} // namespace thermocline::context

#endif
