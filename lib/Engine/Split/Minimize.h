//===- Engine/Split/Minimize.h - No version twice ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Merges versions of a function that do the same, all the way down, and drops
// those that nothing calls. The originals stay version 0.
//
// Partition refinement: versions start together if their hints are equal, and
// part when a call of theirs leads to parted versions. A function is looked at
// again only after one that it calls has parted.
//
// Cost: each look sorts a function's versions by their rows of calls; a
// function is looked at once, and once more for each time that a callee parts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_MINIMIZE_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_MINIMIZE_H

#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// Removes versions that do the same as another or that nothing calls.
/// \p Decided must be well formed.
Decisions minimize(const ContextProgram &Program, const Decisions &Decided);

} // namespace thermocline::context

#endif
