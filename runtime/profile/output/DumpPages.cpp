//===- profile/output/DumpPages.cpp - Memory for writing a profile --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DumpPages.h"
#include "platform/System.h"

using namespace thermocline::runtime;

static struct {
  uintptr_t Begin;
  size_t Reserved;
  size_t Used;
  /// Parts that were not given back.
  unsigned Taken;
} State;

void dumppages::reserve(size_t Bytes) {
  if (void *Range = sys::mapPages(Bytes)) {
    sys::markSparse(Range, Bytes);
    State.Begin = reinterpret_cast<uintptr_t>(Range);
    State.Reserved = Bytes;
  }
}

void *dumppages::take(size_t Size) {
  Size = roundUp(Size, pageBytes());
  if (!State.Begin || Size > State.Reserved - State.Used)
    return sys::mapPages(Size);
  auto *Result = reinterpret_cast<void *>(State.Begin + State.Used);
  State.Used += Size;
  ++State.Taken;
  return Result;
}

void dumppages::give(void *Pages, size_t Size) {
  if (reinterpret_cast<uintptr_t>(Pages) - State.Begin >= State.Reserved) {
    sys::unmapPages(Pages, roundUp(Size, pageBytes()));
    return;
  }
  if (--State.Taken)
    return;
  sys::discardPages(reinterpret_cast<void *>(State.Begin), State.Used);
  State.Used = 0;
}
