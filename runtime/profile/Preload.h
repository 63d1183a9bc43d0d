//===- profile/Preload.h - What only the preloaded library has -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PRELOAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PRELOAD_H

#include "CallStack.h"

/// Only in the library for programs that are not instrumented; null in the one
/// that is linked into programs. Lists calls as captureCalls() does, by unwind
/// tables: these programs keep no frame pointers.
extern "C" __attribute__((weak, visibility("hidden"))) size_t
thermocline_preload_unwind(thermocline::runtime::Caller From, uint64_t *Calls,
                           size_t Limit);

#endif
