//===- Annotate/Register.h - Hooks the stage into clang ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_REGISTER_H
#define THERMOCLINE_ANNOTATE_REGISTER_H

#include "thermocline/Annotate/Options.h"

namespace llvm {
class PassBuilder;
}

namespace thermocline::annotate {

/// Adds the pass of this stage to \p PB: to the end of the pre-link pipelines
/// if \p Options says so, and under the name thermocline-use for textual
/// pipelines. Called once by the pass plugin.
void registerPasses(llvm::PassBuilder &PB, const AnnotateOptions &Options);

} // namespace thermocline::annotate

#endif
