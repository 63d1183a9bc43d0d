//===- Engine/Engine.h - Decides versions for the whole link ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ENGINE_ENGINE_H
#define THERMOCLINE_ENGINE_ENGINE_H

#include "thermocline/Engine/EngineOptions.h"
#include "thermocline/Engine/EngineResult.h"

namespace thermocline::context {

/// Decides on \p Program. Guarantees for any input: No context profiled not
/// cold reaches a version hinted cold. Version 0 of an allocation is cold only
/// if all its contexts are. A callsite keeps calling version 0 unless some
/// context benefits from another version. A function that is not clonable keeps
/// one version. The same program gives the same decisions.
EngineResult decide(const ContextProgram &Program,
                    const EngineOptions &Options = {});

} // namespace thermocline::context

#endif
