//===- profile/entry/Preloaded.cpp - For programs with our allocator ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the preloaded library has this.
//
//===----------------------------------------------------------------------===//

#include "Malloc.h"
#include "thermocline/Format/ProfilerFunctions.h"

using namespace thermocline::runtime;

extern "C" __attribute__((visibility("default")))
const thermocline::format::ProfilerFunctions THERMOCLINE_PROFILER_FUNCTIONS = {
    entry::malloc,
    entry::calloc,
    entry::realloc,
    entry::free,
    entry::memalign,
    entry::posix_memalign,
    entry::malloc_usable_size};
