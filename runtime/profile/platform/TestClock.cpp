//===- profile/platform/TestClock.cpp - Time that a test sets -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestClock.h"

using namespace thermocline::runtime;

Atomic<bool> TestClock::IsOn;
Atomic<uint64_t> TestClock::NowUs;
Atomic<uint64_t> TestClock::ForkUs;

void TestClock::start() {
  // No clock of a machine that runs shows 0.
  constexpr uint64_t BeginUs = 1000 * 1000;
  NowUs.store(BeginUs);
  ForkUs.store(BeginUs);
  IsOn.store(true);
}
