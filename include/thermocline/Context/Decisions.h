//===- Context/Decisions.h - Versions of functions, as data -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was decided for a context program, whoever decided it: our engine, or
// stock LLVM read back from an index. Version 0 of a function is the original.
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
  /// By FunctionId: the number of versions, at least 1.
  std::vector<uint32_t> NumVersions;
  /// By CallsiteId: Clones[v] is the version of the callee that version v of
  /// the caller calls. As long as the caller has versions.
  std::vector<llvm::SmallVector<uint32_t, 2>> Clones;
  /// By AllocationId: Hints[v] is the hint of the allocation in version v of
  /// its owner. As long as the owner has versions.
  std::vector<llvm::SmallVector<Temperature, 2>> Hints;

  bool operator==(const Decisions &) const = default;

  /// One version of everything; an allocation is Cold only if it has contexts
  /// and all of them are cold.
  static Decisions none(const ContextProgram &Program);
};

} // namespace thermocline::context

#endif
