//===- Format/ProfilerFunctions.h - Who profiles the program ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The library that is preloaded to profile programs as they are
// (runtime/profile) replaces malloc. A program that is linked with
// libthermocline_alloc has a malloc of its own, which comes first. So the
// library exports a function that tells where its own are, and the allocator
// lets these serve the process. Then the program's calls are seen, hinted ones
// as well, and nothing lands cold.
//
// This is a binary interface: programs of today meet libraries of tomorrow. So
// each change of it gets another name.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_PROFILERFUNCTIONS_H
#define THERMOCLINE_FORMAT_PROFILERFUNCTIONS_H

#include <stddef.h>

namespace thermocline::format {

/// They do what the functions of libc do.
struct ProfilerFunctions {
  void *(*Malloc)(size_t);
  void *(*Calloc)(size_t, size_t);
  void *(*Realloc)(void *, size_t);
  void (*Free)(void *);
  void *(*Memalign)(size_t, size_t);
  int (*PosixMemalign)(void **, size_t, size_t);
  size_t (*UsableSize)(void *);
};

/// The name of the library's file begins so.
constexpr char ProfilerLibrary[] = "libthermocline_preload.so";

/// The library's function that returns them, or null if this process is not to
/// be profiled. It may be called before constructors.
#define THERMOCLINE_PROFILER_FUNCTIONS thermocline_profiler_functions_v1
constexpr char ProfilerFunctionsName[] = "thermocline_profiler_functions_v1";
using FindProfilerFunctions = const ProfilerFunctions *();

} // namespace thermocline::format

#endif
