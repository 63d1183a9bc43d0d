//===- Engine/Split/TwoVersions.h - The first, linear split -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decide late, top-down, with at most two versions of a function: the original,
// and one that is reached by cold contexts only.
//
// Contexts profiled not-cold stay in the originals everywhere. So a call in an
// original that none of them takes is free: a cold context can leave the
// originals there. It leaves them by the last free call on its way, as late as
// it can, so that few functions get a cold version; inside, a call goes on to
// the callee's cold version where some context needs it, and else back to the
// original, to leave it again further down. What binds every version of a
// function is kept out of cold versions by its first call, or at its
// allocation.
//
// Cost: linear in the edges of the resolution.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_TWOVERSIONS_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_TWOVERSIONS_H

#include "Match/Resolution.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

Decisions splitInTwo(const ContextProgram &Program, const Resolution &Resolved);

} // namespace thermocline::context

#endif
