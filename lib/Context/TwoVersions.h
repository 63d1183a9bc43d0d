//===- Context/TwoVersions.h - The first, linear split ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decide late, top-down, with at most two versions of a function: the original,
// and one that is reached by cold contexts only.
//
// Contexts profiled not-cold stay in the originals everywhere. A call in an
// original that no such context takes is sent to the callee's cold version; in
// a cold version every call is. What binds every version of a function is kept
// out of cold versions again by its first call, or at its allocation.
// A cold version is made only where the original would not serve:
// `NeedsColdVersion` is the least solution of "a not-cold context shares an
// allocation with a cold one, or shares a call to a function that needs one".
//
// Cost: linear in the edges of the resolution.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CONTEXT_TWOVERSIONS_H
#define THERMOCLINE_LIB_CONTEXT_TWOVERSIONS_H

#include "Resolution.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

Decisions splitInTwo(const ContextProgram &Program, const Resolution &Resolved);

} // namespace thermocline::context

#endif
