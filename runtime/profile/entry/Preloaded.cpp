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
#include "platform/LibcFunctions.h"
#include "platform/Text.h"
#include "thermocline/Format/Live/ProfilerFunctions.h"

using namespace thermocline;
using namespace thermocline::runtime;

//===-- Version 1 ---------------------------------------------------------===//

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
  Runtime &R = Runtime::get();
  if (!R.isListedProgram())
    return nullptr;
  Message() << "the program's libthermocline_alloc does not serve it while it "
               "is profiled, and nothing lands cold: "
            << (R.maySample() ? "it is of an older version, or came late"
                              : "the options and the program do not let it")
            << "\n";
  return &Functions;
}

//===-- Version 3 ---------------------------------------------------------===//

static bool join(const format::AllocatorFunctions *Allocator) {
  return Runtime::get().join(*Allocator);
}

// Noinline, as the frame of each is where a context begins.
__attribute__((noinline)) static void *offer(void *Own, size_t Size,
                                             size_t Alignment) {
  if (Allocations::isPassedOver(Size) ||
      Allocations::isForBelow(Size, THERMOCLINE_CALLER))
    return Own;
  return Runtime::get().allocations().offer(Own, Size, Alignment,
                                            THERMOCLINE_CALLER);
}

__attribute__((noinline)) static void *allocate(size_t Size, size_t Alignment,
                                                bool OfZeros) {
  bool Zeroed = false;
  void *Result = Runtime::get().allocations().allocate(
      Size, Alignment, THERMOCLINE_CALLER, &Zeroed);
  if (Result && OfZeros && !Zeroed)
    libc().Memset(Result, 0, Size);
  return Result;
}

__attribute__((noinline)) static void *reallocate(void *Old, size_t Size) {
  return Runtime::get().allocations().reallocate(Old, Size, THERMOCLINE_CALLER,
                                                 "realloc");
}

static void *ownOf(const void *Address) {
  return Allocations::placeholderOf(Address);
}

static constinit format::SamplerFunctions SamplerFunctions = {
    .Begin = 0,
    .End = 0,
    .MostOffered = Allocations::AlwaysRecorded,
    .Join = join,
    .Offer = offer,
    .Allocate = allocate,
    .Realloc = reallocate,
    .Free = entry::free,
    .UsableSize = entry::malloc_usable_size,
    .OwnOf = ownOf,
};

THERMOCLINE_INTERFACE const format::SamplerFunctions *
THERMOCLINE_SAMPLER_FUNCTIONS() {
  const Runtime &R = Runtime::get();
  SamplerFunctions.Begin = Heap::rangeBegin();
  SamplerFunctions.End = Heap::rangeEnd();
  return R.isListedProgram() && R.maySample() ? &SamplerFunctions : nullptr;
}
