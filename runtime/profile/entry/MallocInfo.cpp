//===- entry/MallocInfo.cpp - What a program asks of its allocator --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mallinfo() and similar functions. They describe the heap of this runtime,
// which is the program's while it is profiled. With sampling they describe
// libc's, where everything that is not large comes from or has a placeholder
// block. They must be here because libc has them beside its malloc: without
// them, a static program that calls them would not link.
//
// The allocator has the same functions for jemalloc's heap, and shares no code
// with these, for the reasons that runtime/alloc/entry/Introspection.cpp gives.
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Runtime.h"
#include "platform/LibcFunctions.h"
#include "platform/Text.h"
#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>

using namespace thermocline::runtime;

/// libc's function \p Name, which is about the heap below; null in static
/// programs.
template <typename Function> static Function below(const char *Name) {
  return reinterpret_cast<Function>(definitionBelow(Name));
}

/// libc's function \p Name if most of the program's memory comes from there;
/// else null.
template <typename Function> static Function mainlyBelow(const char *Name) {
  return Runtime::get().allocations().Use.SampleInterval == 1
             ? nullptr
             : below<Function>(Name);
}

THERMOCLINE_INTERFACE struct mallinfo2 mallinfo2() {
  if (auto Libc = mainlyBelow<struct mallinfo2 (*)()>("mallinfo2"))
    return Libc();
  Runtime &R = Runtime::get();
  Heap::Sizes Sizes = R.heap().sizes();
  size_t Used = R.allocations().inUse().Bytes;
  size_t All = Sizes.SmallBytes + Sizes.LargeBytes;
  struct mallinfo2 Result = {};
  Result.arena = Sizes.SmallBytes;
  Result.hblkhd = Sizes.LargeBytes;
  Result.uordblks = Used;
  Result.fordblks = All > Used ? All - Used : 0;
  return Result;
}

static int asInt(size_t Value) {
  return Value > INT_MAX ? INT_MAX : static_cast<int>(Value);
}

THERMOCLINE_INTERFACE struct mallinfo mallinfo() {
  struct mallinfo2 Wide = mallinfo2();
  struct mallinfo Result = {};
  Result.arena = asInt(Wide.arena);
  Result.hblkhd = asInt(Wide.hblkhd);
  Result.uordblks = asInt(Wide.uordblks);
  Result.fordblks = asInt(Wide.fordblks);
  return Result;
}

/// Has no effect here, which is no error.
THERMOCLINE_INTERFACE int mallopt(int Parameter, int Value) {
  auto Libc = below<int (*)(int, int)>("mallopt");
  return Libc ? Libc(Parameter, Value) : 1;
}

THERMOCLINE_INTERFACE int malloc_trim(size_t Left) {
  auto Libc = below<int (*)(size_t)>("malloc_trim");
  return Libc ? Libc(Left) : 0;
}

THERMOCLINE_INTERFACE void malloc_stats() {
  if (Runtime::get().isAbsent())
    if (auto Libc = below<void (*)()>("malloc_stats"))
      return Libc();
  Runtime::get().printStatistics();
}

THERMOCLINE_INTERFACE int malloc_info(int Options, FILE *Stream) {
  if (auto Libc = mainlyBelow<int (*)(int, FILE *)>("malloc_info"))
    return Libc(Options, Stream);
  if (Options)
    return EINVAL;
  struct mallinfo2 Info = mallinfo2();
  return fprintf(Stream,
                 "<malloc version=\"1\">\n"
                 "<system type=\"current\" size=\"%zu\"/>\n"
                 "<total type=\"rest\" count=\"1\" size=\"%zu\"/>\n"
                 "</malloc>\n",
                 Info.arena + Info.hblkhd, Info.fordblks) < 0
             ? -1
             : 0;
}
