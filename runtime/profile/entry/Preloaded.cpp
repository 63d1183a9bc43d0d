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
#include "lifecycle/Runtime.h"
#include "platform/Base.h"
#include "thermocline/Format/ProfilerFunctions.h"

using namespace thermocline;
using namespace thermocline::runtime;

static constexpr format::ProfilerFunctions Functions = {
    entry::malloc,
    entry::calloc,
    entry::realloc,
    entry::free,
    entry::memalign,
    entry::posix_memalign,
    entry::malloc_usable_size};

THERMOCLINE_INTERFACE const format::ProfilerFunctions *
THERMOCLINE_PROFILER_FUNCTIONS() {
  return Runtime::get().isListedProgram() ? &Functions : nullptr;
}
