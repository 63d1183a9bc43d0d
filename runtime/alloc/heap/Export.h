//===- alloc/heap/Export.h - Names that leave the library -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library is built with hidden names; these are the exceptions.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_EXPORT_H
#define THERMOCLINE_ALLOC_EXPORT_H

#define THERMOCLINE_EXPORT extern "C" __attribute__((visibility("default")))
/// A variable that only the library itself uses: without this, each use would
/// look its address up first.
#define THERMOCLINE_HIDDEN __attribute__((visibility("hidden")))
/// A function of C that only the library itself calls.
#define THERMOCLINE_OWN extern "C" __attribute__((visibility("hidden")))
/// A function whose first instructions lie in one line of the cache.
#define THERMOCLINE_FAST __attribute__((aligned(64)))
/// A function that a program may replace by its own.
#define THERMOCLINE_REPLACEABLE __attribute__((visibility("default"), weak))

#endif
