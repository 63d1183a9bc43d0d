//===- Instrument/Register.h - Hooks the stage into clang -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_REGISTER_H
#define THERMOCLINE_INSTRUMENT_REGISTER_H

#include "thermocline/Instrument/Options.h"

namespace llvm {
class PassBuilder;
}

namespace thermocline::instrument {

/// Adds the passes of this stage to \p PB. Called once by the pass plugin.
/// \p Options is read when the passes are added to a pipeline.
void registerPasses(llvm::PassBuilder &PB, const InstrumentOptions &Options);

} // namespace thermocline::instrument

#endif
