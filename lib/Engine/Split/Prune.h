//===- Engine/Split/Prune.h - No version for nothing ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cold context that is not hinted, because another of its ways or a frame
// further down collides, may still have been led into clones on its way. Sends
// each call that neither a hinted nor a not-cold context takes in a version
// back to version 0; nothing that matters runs there. The versions that nothing
// calls any more, minimize() drops.
//
// Cost: for each trie state, its versions times its calls.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_PRUNE_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_PRUNE_H

#include "Match/Resolution.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// \p Outcomes must be those of \p Decided.
void prune(const ContextProgram &Program, const Resolution &Resolved,
           llvm::ArrayRef<Outcome> Outcomes, Decisions &Decided);

} // namespace thermocline::context

#endif
