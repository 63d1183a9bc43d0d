//===- Budget/FreeContexts.h - Contexts that bind nothing -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some contexts are free to come out either way: cold ones that are too small
// to be a reason for a clone, those of allocations that take no hint, and
// not-cold ones that are given up for the cold ones that collide with them. The
// engine decides on a program without them.
//
// What a context resolves to does not depend on others, so the rest of a
// program comes out as it would have. Linear.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_BUDGET_FREECONTEXTS_H
#define THERMOCLINE_LIB_ENGINE_BUDGET_FREECONTEXTS_H

#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/EngineResult.h"

namespace thermocline::context {

struct ReducedProgram {
  ContextProgram Program;
  /// This is indexed by the contexts of Program and holds the same context's id
  /// in the whole program.
  std::vector<ContextId> Originals;
};

/// \returns for each ContextId whether the context is cold and has a known size
/// under \p MinSize, or is of an allocation that takes no hint.
std::vector<bool> indifferent(const ContextProgram &Program, Bytes MinSize);

/// \returns \p Program without the contexts that are \p Free.
ReducedProgram without(const ContextProgram &Program,
                       const std::vector<bool> &Free);

/// Gives up not-cold contexts that collide with cold ones and makes them free.
/// The contexts with the best worth for their bytes come first. Contexts that
/// are \p Free already count against \p Limit. \returns whether any were given
/// up.
bool giveUp(const ContextProgram &Program, const EngineResult &Result,
            Bytes Limit, std::vector<bool> &Free);

} // namespace thermocline::context

#endif
