//===- Preload.h - What only the preloaded library has ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_PRELOAD_H
#define THERMOCLINE_RUNTIME_PROFILE_LIFECYCLE_PRELOAD_H

/// Whether this is the library for programs that are not instrumented and keep
/// no frame pointers. False in the one that is linked into programs, where this
/// is weak.
extern "C" const bool thermocline_is_preloaded;

#endif
