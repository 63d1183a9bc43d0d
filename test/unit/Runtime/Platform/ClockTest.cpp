//===- unit/Runtime/Platform/ClockTest.cpp - The fast clock and CPU number ===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "platform/Clock.h"
#include "platform/System.h"
#include "gtest/gtest.h"
#include <sched.h>

using namespace thermocline::runtime;

static void passAtLeast(uint64_t Milliseconds) {
  uint64_t End = sys::nanoseconds() + Milliseconds * 1000000;
  while (sys::nanoseconds() < End) {
  }
}

// Every value lies between the readings of the kernel's clock around it, but
// for an error of the cycle counter's rate over one millisecond.
TEST(ClockTest, AgreesWithTheKernel) {
  ThreadClock Clock;
  uint64_t End = sys::nanoseconds() + 200000000, Previous = 0, Wrong = 0;
  uint64_t Readings = 0;
  for (uint64_t Now = 0; Now < End; ++Readings) {
    uint64_t Before = sys::nanoseconds();
    uint64_t Milliseconds = Clock.milliseconds();
    Now = sys::nanoseconds();
    EXPECT_GE(Milliseconds, Previous);
    Previous = Milliseconds;
    EXPECT_LE(Milliseconds, Now / 1000000);
    if (Milliseconds < Before / 1000000)
      ++Wrong;
    // However long it was not asked.
    if (Readings % 5000 == 0)
      passAtLeast(3);
  }
  EXPECT_LE(Wrong * 100, Readings);
}

TEST(ClockTest, NeverStaysBehind) {
  ThreadClock Clock;
  for (int I = 0; I != 20; ++I) {
    uint64_t Before = Clock.milliseconds();
    passAtLeast(5);
    EXPECT_GE(Clock.milliseconds(), Before + 4);
  }
}

TEST(ClockTest, KnowsTheCpu) {
  cpu_set_t Allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof(Allowed), &Allowed), 0);
  for (unsigned Cpu = 0; Cpu != CPU_SETSIZE; ++Cpu) {
    if (!CPU_ISSET(Cpu, &Allowed))
      continue;
    cpu_set_t One;
    CPU_ZERO(&One);
    CPU_SET(Cpu, &One);
    ASSERT_EQ(sched_setaffinity(0, sizeof(One), &One), 0);
    EXPECT_EQ(currentCpu(), Cpu);
    EXPECT_EQ(sys::currentCpu(), Cpu);
  }
  sched_setaffinity(0, sizeof(Allowed), &Allowed);
}
