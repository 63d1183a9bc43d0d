//===- Annotate/Register.h - Hooks the stage into clang ------------*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_REGISTER_H
#define THERMOCLINE_ANNOTATE_REGISTER_H

namespace llvm {
class PassBuilder;
}

namespace thermocline::annotate {

/// Adds the passes of this stage to \p PB. Called once by the pass plugin.
void registerPasses(llvm::PassBuilder &PB);

} // namespace thermocline::annotate

#endif
