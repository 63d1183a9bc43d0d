//===- alloc/heap/Decay.cpp - Time passes for all heaps -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decay.h"
#include <atomic>
#include <cstdint>
#include <ctime>

extern "C" {
// Pages of all arenas (jemalloc/Unused.c), and chunks (order/ChunkPool.h).
void thermocline_je_decay_pages();
void thermocline_cold_je_decay_pages();
void thermocline_alloc_tick_order();
}

namespace {

constexpr int64_t BetweenMs = 1000;
constinit std::atomic<int64_t> NextMs = 0;

/// Whether the calling thread is to look now. One is at a time.
bool isDue() {
  timespec Clock;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &Clock);
  const int64_t NowMs = int64_t(Clock.tv_sec) * 1000 + Clock.tv_nsec / 1000000;
  int64_t Next = NextMs.load(std::memory_order_relaxed);
  return NowMs >= Next &&
         NextMs.compare_exchange_strong(Next, NowMs + BetweenMs,
                                        std::memory_order_relaxed);
}

} // namespace

void thermocline_alloc_tick() {
  if (!isDue())
    return;
  thermocline_je_decay_pages();
  thermocline_cold_je_decay_pages();
  thermocline_alloc_tick_order();
}
