//===- profile/platform/TestClock.h - Time that a test sets -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is recorded depends on time: how long memory lives, when a window ends,
// when the file is written next. With the option test_clock all of the
// runtime's clocks stand still, and the program says how much time passes
// (Runtime::passTime). So what a test sees does not depend on how busy the
// machine is.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_TESTCLOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_TESTCLOCK_H

#include "Base.h"

namespace thermocline::runtime {

class TestClock {
public:
  /// Stops all clocks.
  static void start();
  static bool isOn() { return IsOn.load(); }

  /// The time that all clocks show.
  static uint64_t microseconds() { return NowUs.load(); }
  /// Processor time of the process, as though it had always been busy.
  static uint64_t processMicroseconds() { return NowUs.load() - ForkUs.load(); }

  static void pass(uint64_t Microseconds) { NowUs.fetchAdd(Microseconds); }
  /// Called in the child of a fork, whose processor time begins anew.
  static void restartInChild() { ForkUs.store(NowUs.load()); }

private:
  static Atomic<bool> IsOn;
  static Atomic<uint64_t> NowUs;
  static Atomic<uint64_t> ForkUs;
};

} // namespace thermocline::runtime

#endif
