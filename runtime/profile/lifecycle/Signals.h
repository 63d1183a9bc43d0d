//===- lifecycle/Signals.h - Signals that write profiles --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALS_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALS_H

#include "Options.h"
#include <stdint.h>

namespace thermocline::runtime {

/// Finds the functions of libc for signals. By the only thread.
void findSignalFunctions();

/// Installs handlers for the signals that the options name, and for those that
/// end the program and have the default action. The program sees nothing of
/// them (Runtime::changeAction()).
void installSignalHandlers(const Options &O);

/// While it lives, no signal that somebody sends ends the program by way of
/// this thread. Those that came meanwhile are served when it ends.
class DelayedEnds {
public:
  DelayedEnds();
  ~DelayedEnds();
  DelayedEnds(const DelayedEnds &) = delete;
  DelayedEnds &operator=(const DelayedEnds &) = delete;

private:
  uint64_t OldMask;
};

} // namespace thermocline::runtime

#endif
