//===- profile/Preload.h - What only the preloaded library has -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PRELOAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PRELOAD_H

#include "CallStack.h"

/// Lists calls as captureCalls() does.
using UnwindFunction = size_t (*)(thermocline::runtime::Caller From,
                                  uint64_t *Calls, size_t Limit);

/// By unwind tables, in the library for programs that are not instrumented and
/// keep no frame pointers; null in the one that is linked into programs. A
/// variable, because a weak function that is nowhere defined need not be null
/// to gold.
extern "C" const UnwindFunction thermocline_preload_unwind;

#endif
