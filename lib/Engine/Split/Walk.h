//===- Engine/Split/Walk.h - Where resolved contexts end --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Follows all resolved contexts through decisions at once, for the outcomes
// that the engine reports. (The audit does the same by itself, from the stack
// ids.)
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_WALK_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_WALK_H

#include "Match/Resolution.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// What each context came to, given decisions \p Decided that are well formed.
/// Cost: for each place, its versions times its calls.
std::vector<Outcome> outcomes(const ContextProgram &Program,
                              const Resolution &Resolved,
                              const Decisions &Decided);

} // namespace thermocline::context

#endif
