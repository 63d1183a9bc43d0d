//===- profile/platform/Sleeper.cpp - How a thread waits ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sleeper.h"
#include "System.h"
#include "TestClock.h"
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>

using namespace thermocline::runtime;

static void wakeAll(Atomic<uint32_t> &Word) {
  sys::call(SYS_futex, sys::asLong(&Word), FUTEX_WAKE_PRIVATE, INT_MAX);
}

static void waitWhile(Atomic<uint32_t> &Word, uint32_t Value,
                      const timespec *Timeout = nullptr) {
  sys::call(SYS_futex, sys::asLong(&Word), FUTEX_WAIT_PRIVATE, Value,
            sys::asLong(Timeout));
}

void Sleeper::begin() {
  Served.store(Woken.load());
  IsThere.store(1);
}

void Sleeper::end() {
  IsThere.store(0);
  // So that who sleeps on it looks again.
  Served.fetchAdd(1);
  wakeAll(Served);
}

void Sleeper::sleep(uint32_t Times, uint64_t Milliseconds,
                    uint64_t RealMilliseconds) {
  if (Served.load() != Times) {
    Served.store(Times);
    wakeAll(Served);
  }
  if (TestClock::isOn() || RealMilliseconds < Milliseconds)
    Milliseconds = RealMilliseconds;
  timespec Time = {static_cast<time_t>(Milliseconds / 1000),
                   static_cast<long>(Milliseconds % 1000) * 1000000};
  waitWhile(Woken, Times, Milliseconds == Forever ? nullptr : &Time);
}

void Sleeper::wake() {
  Woken.fetchAdd(1);
  wakeAll(Woken);
}

void Sleeper::wakeAndWait() {
  const uint32_t Times = Woken.fetchAdd(1) + 1;
  wakeAll(Woken);
  for (;;) {
    const uint32_t Now = Served.load();
    if (!IsThere.load() || static_cast<int32_t>(Now - Times) >= 0)
      return;
    // Where the thread was killed, nobody wakes this one.
    constexpr timespec LookAgain = {0, 100 * 1000 * 1000};
    waitWhile(Served, Now, &LookAgain);
  }
}
