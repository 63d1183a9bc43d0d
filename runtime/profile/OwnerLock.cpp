//===- profile/OwnerLock.cpp - A lock that one thread nearly owns ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnerLock.h"
#include "System.h"

using namespace thermocline::runtime;

/// Waits until \p Condition holds: a moment at full speed, as the other side is
/// quick, then looking from time to time. \returns false after \p MaxPauses.
template <typename Predicate>
static bool waitUntil(Predicate Condition, uint64_t MaxPauses = UINT64_MAX) {
  for (int Spin = 0; Spin != 100; ++Spin) {
    if (Condition())
      return true;
    __builtin_ia32_pause();
  }
  for (uint64_t Pause = 0; !Condition(); ++Pause) {
    if (Pause == MaxPauses)
      return false;
    sys::pauseShortly();
  }
  return true;
}

/// About half a second of pauses.
static constexpr uint64_t PausesBeforeGivingUp = 4000;

void OwnerLock::enterFenced() {
  Entered.storeRelaxed(1);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

__attribute__((noinline)) void OwnerLock::enterSlowly() {
  do {
    Entered.store(0);
    waitUntil([this] { return !Taken.load(); });
    enterFenced();
  } while (Taken.load());
}

bool OwnerLock::tryTake() {
  uint32_t Free = 0;
  return Taken.compareExchange(Free, 1);
}

void OwnerLock::lockForeign() {
  waitUntil([this] { return tryTake(); });
  if (TheKind == Common)
    return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (TheKind == Asymmetric)
    sys::barrierInAllThreads();
  waitUntil([this] { return !Entered.load(); });
}

bool OwnerLock::lockForeignOrGiveUp() {
  if (!waitUntil([this] { return tryTake(); }, PausesBeforeGivingUp))
    return false;
  if (TheKind == Common)
    return true;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (TheKind == Asymmetric)
    sys::barrierInAllThreads();
  if (waitUntil([this] { return !Entered.load(); }, PausesBeforeGivingUp))
    return true;
  unlockForeign();
  return false;
}
