//===- Judges/Oracle.h - What can be told apart, by force -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides from first principles, for small programs, which cold contexts any
// decisions could hint. It lists every chain of callsites of every context and
// compares all pairs: with a version for each state, a cold chain fails only
// if a not-cold chain to the same allocation must run in the same version.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_ENGINE_ORACLE_H
#define THERMOCLINE_TEST_ENGINE_ORACLE_H

#include "thermocline/Context/ContextProgram.h"
#include <optional>
#include <set>

namespace thermocline::context {

/// A way to run to an allocation.
struct Chain {
  /// It begins in version 0 of Start, else in each version of it.
  bool FromOriginal;
  FunctionId Start;
  /// Outermost first; all of them can be redirected.
  std::vector<CallsiteId> Calls;
  auto operator<=>(const Chain &) const = default;
};

/// By ContextId: all its chains. Nothing if a context has more than the
/// comparison of pairs can bear.
std::optional<std::vector<std::set<Chain>>>
chains(const ContextProgram &Program);

/// By ContextId: whether it is profiled cold and all its chains, \p Chains, can
/// be hinted.
std::vector<bool> canBeHinted(const ContextProgram &Program,
                              const std::vector<std::set<Chain>> &Chains);

} // namespace thermocline::context

#endif
