//===- engine/LowerBound.h - Clones that are needed at least ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How good are decisions? The fewest clones are NP-hard to find, but a bound is
// not: two states of a function that owe some allocation different hints can
// share no version of it. Any set of states that disagree with each other
// is a proof of as many versions. For benchmarks and tests.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_ENGINE_LOWERBOUND_H
#define THERMOCLINE_BENCH_ENGINE_LOWERBOUND_H

#include "thermocline/Context/ContextProgram.h"

namespace thermocline::context {

/// A number of clones that no decisions fall short of which hint every cold
/// context of \p Program that can be hinted, and none that is not-cold. Cost:
/// for each function, its states times the size of the set that was found.
uint64_t clonesNeededAtLeast(const ContextProgram &Program);

} // namespace thermocline::context

#endif
