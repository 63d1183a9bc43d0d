//===- Engine/Split/AllStates.h - A version for each state ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where unprofiled words must be not-cold, nothing is free, and the best
// machine is unique: a version for each residual language (Myhill and Nerode).
// The states of a strict subset construction are versions that are right;
// minimize() makes one of those that do the same.
//
// Cost: linear in the subset construction.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_ENGINE_SPLIT_ALLSTATES_H
#define THERMOCLINE_LIB_ENGINE_SPLIT_ALLSTATES_H

#include "SubsetConstruction.h"
#include "thermocline/Context/Decisions.h"

namespace thermocline::context {

/// Makes each state a version. All allocations must be strict, and \p Subsets
/// must not be explicit.
Decisions takeAllStates(const ContextProgram &Program,
                        const Resolution &Resolved,
                        const SubsetConstruction &Subsets);

} // namespace thermocline::context

#endif
