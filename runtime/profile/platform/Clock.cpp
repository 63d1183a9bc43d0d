//===- profile/platform/Clock.cpp - Time and CPU of an allocation ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Clock.h"
#include "System.h"
#include "TestClock.h"

using namespace thermocline::runtime;

constexpr uint64_t NanosecondsPerMillisecond = 1000000;

namespace {
/// The rate of the cycle counter, found from the first reading and those of the
/// second after it.
struct CycleRate {
  /// Starting for a moment; in the child of a fork then it stays so.
  enum : uint32_t { Unknown, Starting, Measuring, Unusable };
  Atomic<uint32_t> State;
  uint64_t FirstCycles = 0;
  uint64_t FirstNanoseconds = 0;
  /// 0 until known.
  Atomic<uint64_t> CyclesPerMillisecond;
};
} // namespace

static CycleRate Rate;

static void start(uint64_t Cycles, uint64_t Nanoseconds) {
  uint32_t Expected = CycleRate::Unknown;
  if (!Rate.State.compareExchange(Expected, CycleRate::Starting))
    return;
  Rate.FirstCycles = Cycles;
  Rate.FirstNanoseconds = Nanoseconds;
  Rate.State.store(arch::cyclesAreSteady() ? CycleRate::Measuring
                                           : CycleRate::Unusable);
}

/// \returns 0 if it is not known yet.
static uint64_t cyclesPerMillisecond(uint64_t Cycles, uint64_t Nanoseconds) {
  if (TestClock::isOn())
    return 0;
  uint32_t State = Rate.State.load();
  if (State == CycleRate::Unknown) {
    start(Cycles, Nanoseconds);
    return 0;
  }
  if (State != CycleRate::Measuring)
    return 0;
  uint64_t Known = Rate.CyclesPerMillisecond.loadRelaxed();
  uint64_t Elapsed = Nanoseconds - Rate.FirstNanoseconds;
  if (Elapsed < NanosecondsPerMillisecond ||
      Elapsed > 1000 * NanosecondsPerMillisecond)
    return Known;
  // Being interrupted between the two readings makes it look faster, and the
  // milliseconds last too long: so the least that was seen.
  uint64_t Seen =
      (Cycles - Rate.FirstCycles) * NanosecondsPerMillisecond / Elapsed;
  if (Known && Known <= Seen)
    return Known;
  Rate.CyclesPerMillisecond.storeRelaxed(Seen);
  return Seen;
}

uint64_t ThreadClock::read(uint64_t Cycles) {
  uint64_t Nanoseconds = sys::nanoseconds();
  uint64_t PerMillisecond = cyclesPerMillisecond(Cycles, Nanoseconds);
  uint64_t Left =
      NanosecondsPerMillisecond - Nanoseconds % NanosecondsPerMillisecond;
  // The counter was read first: the time that is left is not overrated.
  ReadAt = Cycles;
  ValidCycles = PerMillisecond / 1000 * Left / 1000;
  Milliseconds = Nanoseconds / NanosecondsPerMillisecond;
  return Milliseconds;
}
