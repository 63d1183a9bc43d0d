//===- alloc/heap/Footprint.cpp - How much may stay unused ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Footprint.h"
#include <atomic>

namespace {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;
/// As much may stay unused while a heap grows, and a part of what is used; or,
/// where little is used, so much less a part of what is.
constexpr size_t AlwaysBytes = 512 * KiB, UsedForUnused = 512;
constexpr size_t SmallBytes = 8 * MiB, UsedForLess = 4;
/// Nearly all is free if so much more is unused than some times what is used.
constexpr size_t MostlyFreeBytes = 16 * MiB, MostlyFreeTimes = 4;

constinit std::atomic<size_t> HadBytes = 0;

size_t allowedUnused(size_t UsedBytes) {
  const size_t Allowed = AlwaysBytes + UsedBytes / UsedForUnused;
  const size_t Less = UsedBytes / UsedForLess;
  return Less + Allowed < SmallBytes ? SmallBytes - Less : Allowed;
}

} // namespace

bool thermocline_alloc_exceeds_allowed(size_t UsedBytes, size_t UnusedBytes) {
  return UnusedBytes > allowedUnused(UsedBytes);
}

bool thermocline_alloc_has_had(size_t Bytes, size_t UsedBytes) {
  const size_t Now = UsedBytes + allowedUnused(UsedBytes);
  size_t Had = HadBytes.load(std::memory_order_relaxed);
  while (Now > Had &&
         !HadBytes.compare_exchange_weak(Had, Now, std::memory_order_relaxed))
    ;
  return Bytes <= Had;
}

bool thermocline_alloc_is_nearly_free(size_t UsedBytes, size_t UnusedBytes) {
  return UnusedBytes > MostlyFreeBytes + MostlyFreeTimes * UsedBytes;
}

void thermocline_alloc_forget_had() {
  HadBytes.store(0, std::memory_order_relaxed);
}
