//===- Context/Decisions.h - Versions of functions, as data -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was decided for a context program, either by Thermocline's engine or by
// stock LLVM, whose decisions are read back from an index. Version 0 of a
// function is the original.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_CONTEXT_DECISIONS_H
#define THERMOCLINE_CONTEXT_DECISIONS_H

#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/SmallVector.h"

namespace thermocline::context {

/// A typed automaton: states are (function, version), Clones the transitions,
/// Hints the outputs.
struct Decisions {
  /// The number of versions of each function, at least 1. Indexed by
  /// FunctionId.
  std::vector<uint32_t> NumVersions;
  /// Clones[v] of a callsite is the version of the callee that version v of the
  /// caller calls. There is one for each version of the caller. Indexed by
  /// CallsiteId.
  std::vector<llvm::SmallVector<uint32_t, 2>> Clones;
  /// Hints[v] of an allocation is its hint in version v of its owner. There is
  /// one for each version of the owner. Indexed by AllocationId.
  std::vector<llvm::SmallVector<Temperature, 2>> Hints;

  bool operator==(const Decisions &) const = default;

  /// The decisions of a link without clones: each function has one version, and
  /// an allocation is Cold only if it has contexts and all of them are cold.
  static Decisions none(const ContextProgram &Program);
};

} // namespace thermocline::context

#endif
