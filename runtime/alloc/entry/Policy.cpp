//===- alloc/entry/Policy.cpp - Where the kernel keeps the heaps ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program can ask for itself (thermocline/alloc.h).
//
//===----------------------------------------------------------------------===//

#include "heap/Policy.h"
#include "heap/ColdHeap.h"
#include <cerrno>

using namespace thermocline::alloc;

static void *startOfCold() {
  return reinterpret_cast<void *>(Range.Base.load(std::memory_order_relaxed));
}

THERMOCLINE_EXPORT int thermocline_alloc_use_huge_pages(int Enable) {
  return hasColdHeap() ? useHugePages(Enable != 0, startOfCold(), rangeBytes())
                       : ENOTSUP;
}

THERMOCLINE_EXPORT int
thermocline_alloc_advise_cold(enum thermocline_alloc_advice Advice) {
  return hasColdHeap() ? adviseCold(Advice, startOfCold(), takenBytes())
                       : ENOTSUP;
}

THERMOCLINE_EXPORT int thermocline_alloc_bind_cold(const char *Nodes) {
  return hasColdHeap() ? bindCold(Nodes, startOfCold(), rangeBytes()) : ENOTSUP;
}
