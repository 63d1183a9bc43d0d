//===- profile/lifecycle/SignalNames.h - Signals by name --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALNAMES_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_SIGNALNAMES_H

#include "platform/Base.h"

namespace thermocline::runtime {

/// The number of the signal \p Text, as "USR1", "SIGUSR1" or a number. \returns
/// 0 for what is no signal, and for those that cannot be handled or that report
/// a fault of the program.
int signalNumber(const char *Text, size_t Size);

} // namespace thermocline::runtime

#endif
