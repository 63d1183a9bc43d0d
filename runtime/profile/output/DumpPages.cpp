//===- profile/output/DumpPages.cpp - Memory for writing a profile --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpPages.h"
#include "platform/System.h"

using namespace thermocline::runtime;

/// Enough for a snapshot of as many contexts as there may be.
static constexpr size_t ReservedBytes = size_t(1) << 37;

static struct {
  uintptr_t Begin;
  size_t Used;
  /// Parts that were not given back.
  unsigned Taken;
} State;

void dumppages::reserve() {
  if (void *Range = sys::mapPages(ReservedBytes)) {
    sys::markSparse(Range, ReservedBytes);
    State.Begin = reinterpret_cast<uintptr_t>(Range);
  }
}

void *dumppages::take(size_t Size) {
  Size = roundUp(Size, pageBytes());
  if (!State.Begin || Size > ReservedBytes - State.Used)
    return sys::mapPages(Size);
  auto *Result = reinterpret_cast<void *>(State.Begin + State.Used);
  State.Used += Size;
  ++State.Taken;
  return Result;
}

void dumppages::give(void *Pages, size_t Size) {
  if (reinterpret_cast<uintptr_t>(Pages) - State.Begin >= ReservedBytes) {
    sys::unmapPages(Pages, roundUp(Size, pageBytes()));
    return;
  }
  if (--State.Taken)
    return;
  sys::discardPages(reinterpret_cast<void *>(State.Begin), State.Used);
  State.Used = 0;
}
