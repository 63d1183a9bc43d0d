//===- Engine/Judges/Minimum.h - The fewest clones, by force ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the cheapest decisions that hint every context that any decisions
// can hint, within the engine's rules.
//
// Branch and bound over the transitions that chains of contexts need: a call in
// a version goes to a version of the callee that is there, or to a new one.
// Chains run as far as transitions are known. Of those that wait for the same
// transition, each candidate is tried ahead: one that would end them at a label
// of the other kind is no candidate. The transition with the fewest candidates
// is next, and where a function has one that only a new version can serve, its
// price counts at once.
//
// Shares nothing with the engine but the program.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_ENGINE_MINIMUM_H
#define THERMOCLINE_TEST_ENGINE_MINIMUM_H

#include "Oracle.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

enum class Price { Clones, Instructions };

struct Minimum {
  /// The search was given up: Cost is only an upper bound.
  bool CutShort = false;
  /// None if nothing costs at most the bound.
  std::optional<uint64_t> Cost;
  Decisions Decided;
};

/// The cheapest decisions that cost at most \p Bound and hint all contexts of
/// \p Hintable. \p Chains is of \p Program.
Minimum cheapest(const ContextProgram &Program,
                 const std::vector<std::set<Chain>> &Chains,
                 const std::vector<bool> &Hintable, Price Per, uint64_t Bound);

} // namespace thermocline::context

#endif
