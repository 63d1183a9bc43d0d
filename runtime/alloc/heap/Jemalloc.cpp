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
  const char *Options =
      addressSpaceLimit() == Unlimited ? LOOKS : LOOKS ",retain:false";
#undef LOOKS
  je_malloc_conf = Options;
  thermocline_cold_je_malloc_conf = Options;
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
