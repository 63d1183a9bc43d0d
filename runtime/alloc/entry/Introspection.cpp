//===- alloc/entry/Introspection.cpp - mallinfo, malloc_trim and kin ------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What glibc has beside malloc to ask and to advise it. Without these a program
// would hear of glibc's heap, which is empty, and in a static link get that
// heap's malloc as well. Where another allocator serves the process, the next
// functions of these names are called.
//
// The profiling runtime has functions of these names as well
// (runtime/profile/entry/MallocInfo.cpp). No program has both. They share no
// code, as all but glibc's structures differ: there the numbers come from its
// own heap, here from jemalloc; there the question is whether libc's heap has
// most of the memory, here whether another allocator serves the process.
//
//===----------------------------------------------------------------------===//

#include "heap/ColdHeap.h"
#include "heap/Export.h"
#include "heap/Jemalloc.h"
#include "heap/Print.h"
#include "heap/Role.h"
#include "order/OrderHeap.h"
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <malloc.h>

using namespace thermocline::alloc;

#pragma weak dlsym

namespace {

/// Adds up a statistic of both heaps.
size_t statistic(const char *Name) {
  size_t Bytes = readStatistic(je_mallctl, Name);
  return hasColdHeap()
             ? Bytes + readStatistic(thermocline_cold_je_mallctl, Name)
             : Bytes;
}

/// The sizes of both heaps together, in bytes, with what lies in order.
struct HeapSizes {
  size_t Allocated; ///< By the program, rounded up as the heaps do.
  size_t Active;    ///< Pages that hold some of it.
  size_t Mapped;    ///< Pages of the heap.
  size_t Resident;  ///< Pages in memory, with what jemalloc needs itself.
};

HeapSizes heapSizes() {
  refreshStatistics(je_mallctl);
  if (hasColdHeap())
    refreshStatistics(thermocline_cold_je_mallctl);
  const OrderHeapSizes Order = orderHeapSizes();
  return {statistic("stats.allocated") + Order.Live,
          statistic("stats.active") + Order.Active,
          statistic("stats.mapped") + Order.Reserved,
          statistic("stats.resident") + Order.Mapped};
}

/// The next function called Name, or null; null where this allocator serves.
template <typename Function> Function *elsewhere(const char *Name, Function *) {
  if (serves() || !dlsym)
    return nullptr;
  return reinterpret_cast<Function *>(dlsym(RTLD_NEXT, Name));
}

/// Gives back what the heap, and the calling thread's cache, keep.
bool trim(Mallctl *Ask) {
  char Purge[32];
  snprintf(Purge, sizeof(Purge), "arena.%u.purge", MALLCTL_ARENAS_ALL);
  Ask("thread.tcache.flush", nullptr, nullptr, nullptr, 0);
  return Ask(Purge, nullptr, nullptr, nullptr, 0) == 0;
}

int clamped(size_t Value) {
  return Value < INT_MAX ? static_cast<int>(Value) : INT_MAX;
}

} // namespace

THERMOCLINE_EXPORT struct mallinfo2 mallinfo2() noexcept {
  if (auto *Next = elsewhere("mallinfo2", mallinfo2))
    return Next();
  HeapSizes Sizes = heapSizes();
  struct mallinfo2 Info = {};
  Info.arena = Sizes.Mapped;
  Info.uordblks = Sizes.Allocated;
  Info.fordblks =
      Sizes.Mapped > Sizes.Allocated ? Sizes.Mapped - Sizes.Allocated : 0;
  Info.keepcost = Sizes.Mapped > Sizes.Active ? Sizes.Mapped - Sizes.Active : 0;
  return Info;
}

// glibc has numbers of 32 bits here that wrap round; these stop at the largest.
THERMOCLINE_EXPORT struct mallinfo mallinfo() noexcept {
  struct mallinfo2 Wide = mallinfo2();
  struct mallinfo Info = {};
  Info.arena = clamped(Wide.arena);
  Info.uordblks = clamped(Wide.uordblks);
  Info.fordblks = clamped(Wide.fordblks);
  Info.keepcost = clamped(Wide.keepcost);
  return Info;
}

THERMOCLINE_EXPORT int malloc_trim(size_t Padding) noexcept {
  if (auto *Next = elsewhere("malloc_trim", malloc_trim))
    return Next(Padding);
  bool Trimmed = trim(je_mallctl);
  if (hasColdHeap())
    Trimmed &= trim(thermocline_cold_je_mallctl);
  trimOrder();
  return Trimmed;
}

// jemalloc has options of its own (MALLOC_CONF). As in glibc, those that are
// not known are no error.
THERMOCLINE_EXPORT int mallopt(int Parameter, int Value) noexcept {
  if (auto *Next = elsewhere("mallopt", mallopt))
    return Next(Parameter, Value);
  return 1;
}

THERMOCLINE_EXPORT void malloc_stats() noexcept {
  if (auto *Next = elsewhere("malloc_stats", malloc_stats))
    return Next();
  HeapSizes Sizes = heapSizes();
  printLine("thermocline-alloc: allocated_bytes=%zu active_bytes=%zu "
            "mapped_bytes=%zu resident_bytes=%zu",
            Sizes.Allocated, Sizes.Active, Sizes.Mapped, Sizes.Resident);
}

THERMOCLINE_EXPORT int malloc_info(int Options, FILE *To) noexcept {
  if (auto *Next = elsewhere("malloc_info", malloc_info))
    return Next(Options, To);
  if (Options != 0)
    return EINVAL;
  HeapSizes Sizes = heapSizes();
  return fprintf(To,
                 "<malloc version=\"thermocline-1\">\n"
                 "<system type=\"current\" size=\"%zu\"/>\n"
                 "<total type=\"allocated\" size=\"%zu\"/>\n"
                 "</malloc>\n",
                 Sizes.Mapped, Sizes.Allocated) < 0
             ? -1
             : 0;
}
