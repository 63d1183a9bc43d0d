//===- profile/platform/Lock.cpp - A mutex below malloc -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lock.h"
#include "HiddenThread.h"
#include "System.h"
#include "Thread.h"
#include "arch/Processor.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

using namespace thermocline::runtime;
using sys::asLong;

//===-- Forks -------------------------------------------------------------===//

static constinit Atomic<uint32_t> ForksUnderWay;
/// Counts forks that ended; odd, so that it is never 0.
static constinit Atomic<uint32_t> ForkNumber(1);

void thermocline::runtime::beginFork() { ForksUnderWay.fetchAdd(1); }

void thermocline::runtime::endFork() {
  ForkNumber.fetchAdd(2);
  ForksUnderWay.fetchAdd(UINT32_MAX);
}

void thermocline::runtime::forgetForks() { ForksUnderWay.store(0); }

bool PatienceBesideForks::isOver(unsigned Microseconds) {
  // Most forks take less, but this is not for ever.
  constexpr unsigned Most = 50000;
  if (!ForksUnderWay.load()) {
    Waited = 0;
    return false;
  }
  uint32_t &GaveUpAt = thisThread().GaveUpAtFork;
  const uint32_t Present = ForkNumber.load();
  Waited += Microseconds;
  if (Waited <= Most && GaveUpAt != Present)
    return false;
  GaveUpAt = Present;
  return true;
}

//===-- Locks -------------------------------------------------------------===//

THERMOCLINE_UNCHECKED void Lock::lock() {
  if (__builtin_expect(thisThread().HoldsAllLocks, false))
    return;
  ++thisThread().LocksHeld;
  waitUntilTaken();
  Owner.storeRelaxed(&thisThread());
}

bool Lock::spinUntilTaken() {
  uint32_t Expected = Unlocked;
  if (State.compareExchange(Expected, Locked))
    return true;
  for (int Spin = 0; Spin != 100; ++Spin) {
    arch::relax();
    Expected = Unlocked;
    if (State.compareExchange(Expected, Locked))
      return true;
  }
  return false;
}

void Lock::waitUntilTaken() {
  // Nobody wakes those who wait for a thread that was killed.
  constexpr unsigned LookAgainMs = 100;
  if (spinUntilTaken())
    return;
  while (!takeWithin(LookAgainMs)) {
  }
}

THERMOCLINE_UNCHECKED void Lock::unlock() {
  if (__builtin_expect(thisThread().HoldsAllLocks, false))
    return;
  Owner.storeRelaxed(nullptr);
  if (State.exchange(Unlocked) == Contended)
    sys::call(SYS_futex, asLong(&State), FUTEX_WAKE_PRIVATE, 1);
  --thisThread().LocksHeld;
}

/// Waits once, and is woken like others that wait, so as not to miss its
/// moment.
bool Lock::takeWithin(unsigned Milliseconds) {
  timespec Moment = {0, Milliseconds * 1000000};
  sys::call(SYS_futex, asLong(&State), FUTEX_WAIT_PRIVATE, Contended,
            asLong(&Moment));
  return State.exchange(Contended) == Unlocked || takeOver();
}

bool Lock::takeOver() {
  const void *Holder = Owner.loadRelaxed();
  return HiddenThread::isOfKilled(Holder) &&
         Owner.compareExchange(Holder, &thisThread());
}

THERMOCLINE_UNCHECKED bool Lock::lockOrGiveUp(unsigned Seconds) {
  if (thisThread().HoldsAllLocks)
    return true;
  if (Owner.loadRelaxed() == &thisThread())
    return false;
  ++thisThread().LocksHeld;
  bool IsTaken = spinUntilTaken();
  for (unsigned Try = 0; !IsTaken && Try != Seconds * 100; ++Try)
    IsTaken = takeWithin(10);
  if (IsTaken)
    Owner.storeRelaxed(&thisThread());
  else
    --thisThread().LocksHeld;
  return IsTaken;
}

THERMOCLINE_UNCHECKED bool Lock::lockUnlessForking() {
  if (__builtin_expect(thisThread().HoldsAllLocks, false))
    return true;
  ++thisThread().LocksHeld;
  PatienceBesideForks Patience;
  bool IsTaken = spinUntilTaken();
  while (!IsTaken && !Patience.isOver(10000))
    IsTaken = takeWithin(10);
  if (IsTaken)
    Owner.storeRelaxed(&thisThread());
  else
    --thisThread().LocksHeld;
  return IsTaken;
}

// Whether it is held is known only when it runs.
THERMOCLINE_UNCHECKED GuardOrGiveUp::GuardOrGiveUp(Lock &L, bool GiveUp,
                                                   unsigned Seconds)
    : L(L) {
  if (GiveUp)
    Held = L.lockOrGiveUp(Seconds);
  else
    L.lock();
}

THERMOCLINE_UNCHECKED GuardOrGiveUp::~GuardOrGiveUp() {
  if (Held)
    L.unlock();
}

THERMOCLINE_UNCHECKED GuardUnlessForking::GuardUnlessForking(Lock &L)
    : L(L), Held(L.lockUnlessForking()) {}

THERMOCLINE_UNCHECKED GuardUnlessForking::~GuardUnlessForking() {
  if (Held)
    L.unlock();
}
