//===- platform/OwnerLock.cpp - A lock that one thread nearly owns --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OwnerLock.h"
#include "Lock.h"
#include "System.h"
#include "Thread.h"
#include "arch/Processor.h"

using namespace thermocline::runtime;

/// Waits until \p Condition holds: a moment at full speed, as the other side is
/// quick, then looking from time to time. \returns false after \p MaxPauses.
template <typename Predicate>
static bool waitUntil(Predicate Condition, uint64_t MaxPauses = UINT64_MAX) {
  for (int Spin = 0; Spin != 100; ++Spin) {
    if (Condition())
      return true;
    arch::relax();
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
/// Longer than a processor keeps any thread waiting.
static constexpr uint64_t PausesOfThePatient = 20 * PausesBeforeGivingUp;

void OwnerLock::enterFenced() {
  Entered.storeRelaxed(1);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

/// Waits in the same way, until a fork may be waiting for this thread.
template <typename Predicate>
static bool waitUnlessForking(Predicate Condition) {
  constexpr unsigned Pauses = 20;
  PatienceBesideForks Patience;
  while (!waitUntil(Condition, 0)) {
    if (Patience.isOver(Pauses * sys::PauseMicroseconds))
      return false;
    if (waitUntil(Condition, Pauses))
      return true;
  }
  return true;
}

__attribute__((noinline)) bool OwnerLock::enterSlowly() {
  do {
    Entered.store(0);
    if (!waitUnlessForking([this] { return !Taken.load(); }))
      return false;
    enterFenced();
  } while (Taken.load());
  return true;
}

bool OwnerLock::tryTake() {
  uint32_t Free = 0;
  return Taken.compareExchange(Free, 1);
}

void OwnerLock::lockForeign() {
  if (thisThread().HoldsAllLocks)
    return;
  ++thisThread().LocksHeld;
  waitUntil([this] { return tryTake(); });
  if (TheKind == Common)
    return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (TheKind == Asymmetric)
    sys::barrierInAllThreads();
  waitUntil([this] { return !Entered.load(); });
}

bool OwnerLock::lockUnlessForking() {
  if (thisThread().HoldsAllLocks)
    return true;
  ++thisThread().LocksHeld;
  if (waitUnlessForking([this] { return tryTake(); }))
    return true;
  --thisThread().LocksHeld;
  return false;
}

void OwnerLock::unlockForeign() {
  if (thisThread().HoldsAllLocks)
    return;
  Taken.store(0);
  --thisThread().LocksHeld;
}

bool OwnerLock::lockForeignOrGiveUp(bool Soon) {
  if (thisThread().HoldsAllLocks)
    return true;
  uint64_t MaxPauses = Soon ? PausesBeforeGivingUp : PausesOfThePatient;
  ++thisThread().LocksHeld;
  if (!waitUntil([this] { return tryTake(); }, MaxPauses)) {
    --thisThread().LocksHeld;
    return false;
  }
  if (TheKind == Common)
    return true;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (TheKind == Asymmetric)
    sys::barrierInAllThreads();
  if (waitUntil([this] { return !Entered.load(); }, MaxPauses))
    return true;
  unlockForeign();
  return false;
}

// Whether it is held is known only when it runs.
THERMOCLINE_UNCHECKED ForeignGuard::ForeignGuard(OwnerLock &L)
    : L(L), Held(true) {
  L.lockForeign();
}

THERMOCLINE_UNCHECKED ForeignGuard::ForeignGuard(OwnerLock &L, bool Soon,
                                                 bool Try)
    : L(L), Held(Try && L.lockForeignOrGiveUp(Soon)) {}

THERMOCLINE_UNCHECKED ForeignGuard::~ForeignGuard() {
  if (Held)
    L.unlockForeign();
}
