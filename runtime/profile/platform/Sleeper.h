//===- profile/platform/Sleeper.h - How a thread waits ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One of the runtime's threads sleeps here until something is due, or until it
// is woken. Who wakes it can wait until it has done what was due and sleeps
// again. Where a test sets the time (TestClock.h) it sleeps until it is woken.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_SLEEPER_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_SLEEPER_H

#include "Base.h"

namespace thermocline::runtime {

class Sleeper {
public:
  static constexpr uint64_t Forever = UINT64_MAX;

  /// There will be a thread, which has been woken as often as anybody knows.
  void begin();
  /// The thread ends: nobody waits for it any more.
  void end();

  /// By the thread, before it looks for what it has to do. \returns how often
  /// it was woken.
  uint32_t timesWoken() const { return Woken.load(); }
  /// By the thread, which has done what was to do when it was woken \p Times
  /// times. Sleeps for \p Milliseconds, unless it was woken again. With a
  /// test's time it is \p RealMilliseconds instead.
  void sleep(uint32_t Times, uint64_t Milliseconds,
             uint64_t RealMilliseconds = Forever);

  /// Wakes the thread. May be called by signal handlers.
  void wake();
  /// Wakes the thread, and waits until it sleeps again or has ended.
  void wakeAndWait();

  /// A word that is 0 when there is no thread. The kernel may set it.
  uint32_t *presence() { return IsThere.address(); }
  bool isThere() const { return IsThere.load(); }

private:
  /// The thread sleeps on this word, and others on the next.
  Atomic<uint32_t> Woken;
  Atomic<uint32_t> Served;
  Atomic<uint32_t> IsThere;
};

} // namespace thermocline::runtime

#endif
