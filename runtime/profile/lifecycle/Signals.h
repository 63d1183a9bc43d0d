//===- lifecycle/Signals.h - Signals that write profiles --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALS_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALS_H

#include "Options.h"

namespace thermocline::runtime {

/// Installs handlers for the signals that the options name, and for those that
/// end the program and have the default action.
void installSignalHandlers(const Options &O);

} // namespace thermocline::runtime

#endif
