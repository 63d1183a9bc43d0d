//===- alloc/heap/Jemalloc.cpp - jemalloc's options -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jemalloc.h"
#include "ColdRange.h"

void thermocline::alloc::configureJemalloc() {
  // jemalloc looks what a thread's cache could give up each time that the
  // thread has allocated so many bytes: 64 KiB by itself, which is a tenth of
  // the time of allocations of some hundred bytes.
#define LOOKS "tcache_gc_incr_bytes:262144"
  // It takes addresses ahead and keeps them, which costs nothing where there
  // are plenty.
#define FEW_ADDRESSES ",retain:false"
  // Cold objects are allocated less often than others, so one arena for each
  // processor will do, where jemalloc has four: each has pages partly in use.
#define FEW_ARENAS ",narenas_ratio:1"
  bool HasPlenty = addressSpaceLimit() == Unlimited;
  je_malloc_conf = HasPlenty ? LOOKS : LOOKS FEW_ADDRESSES;
  thermocline_cold_je_malloc_conf =
      HasPlenty ? LOOKS FEW_ARENAS : LOOKS FEW_ARENAS FEW_ADDRESSES;
#undef FEW_ARENAS
#undef FEW_ADDRESSES
#undef LOOKS
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
