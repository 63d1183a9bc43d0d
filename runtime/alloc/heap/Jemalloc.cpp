//===- alloc/heap/Jemalloc.cpp - jemalloc's options -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jemalloc.h"
#include "ColdRange.h"
#include "Settings.h"
#include <algorithm>
#include <cstdio>
#include <sched.h>

/// \returns how many processors the process may use, as jemalloc counts them;
/// many where the system does not tell.
static unsigned countProcessors() {
  cpu_set_t Set;
  return sched_getaffinity(0, sizeof(Set), &Set) == 0
             ? static_cast<unsigned>(CPU_COUNT(&Set))
             : CPU_SETSIZE;
}

void thermocline::alloc::configureJemalloc() {
  // jemalloc looks what a thread's cache could give up each time that the
  // thread has allocated so many bytes: 64 KiB by itself, which is a tenth of
  // the time of allocations of some hundred bytes.
  constexpr char Looks[] = "tcache_gc_incr_bytes:262144";
  // By itself it takes small objects from pieces of one to seven pages. What is
  // made together and walked in that order is then in many short runs, which
  // neither the caches' prefetchers nor the walks of page tables follow; in
  // pieces of 64 KiB (512 objects at most) it is in few long ones.
  constexpr char LongRuns[] = ",slab_sizes:1-4096:";
  constexpr unsigned LongRunPages = 64 * 1024 / THERMOCLINE_JEMALLOC_PAGE_BYTES;
  // By itself it leaves freed runs of pages whole that are 64 times as large as
  // what is asked for, and takes fresh pages.
  constexpr char AnyRun[] = ",lg_extent_max_active_fit:64";
  // By itself it has four arenas for each processor, none of which uses pages
  // that another has freed. Here four processors share one, in which threads
  // take small objects from as many places, each with locks of its own. Each
  // place has slabs that are partly in use; so the cold heap, from which less
  // is allocated, has a quarter of them.
  constexpr char FewArenas[] = ",narenas_ratio:0.25,bin_shards:1-14336:";
  const unsigned Sharing = std::min(countProcessors(), 4u);
  // It takes addresses ahead and keeps them, which costs nothing where there
  // are plenty.
  const char *FewAddresses =
      addressSpaceLimit() == Unlimited ? "" : ",retain:false";
  // The last of a name holds.
  Setting OfProgram(SettingName::MallocConf);
  const char *Own = OfProgram.value() ? OfProgram.value() : "";
  const char *Comma = *Own ? "," : "";
  static char Ordinary[Setting::MaxBytes + 200], Cold[Setting::MaxBytes + 200];
  snprintf(Ordinary, sizeof(Ordinary), "%s%s%u%s%s%u%s%s%s", Looks, LongRuns,
           LongRunPages, AnyRun, FewArenas, 4 * Sharing, FewAddresses, Comma,
           Own);
  snprintf(Cold, sizeof(Cold), "%s%s%u%s%s%u%s%s%s", Looks, LongRuns,
           LongRunPages, AnyRun, FewArenas, Sharing, FewAddresses, Comma, Own);
  je_malloc_conf = Ordinary;
  thermocline_cold_je_malloc_conf = Cold;
}

size_t thermocline::alloc::readStatistic(Mallctl *Ask, const char *Name) {
  size_t Value = 0, ValueBytes = sizeof(Value);
  return Ask(Name, &Value, &ValueBytes, nullptr, 0) == 0 ? Value : 0;
}

void thermocline::alloc::refreshStatistics(Mallctl *Ask) {
  uint64_t Epoch = 1;
  size_t EpochBytes = sizeof(Epoch);
  Ask("epoch", &Epoch, &EpochBytes, &Epoch, EpochBytes);
}
