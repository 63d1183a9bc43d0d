//===- profile/platform/Clock.h - Time and CPU of an allocation -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: each malloc and each free asks for the time in milliseconds and for
// the CPU, and even the kernel's clock that needs no system call takes longer
// than all the rest of a malloc.
//
// When a thread has read the kernel's clock, it knows at which count of the
// CPU's cycle counter the next millisecond begins. Until then it reads the
// cycle counter alone. So every millisecond begins with a reading of the clock,
// and an error in the measured rate of the counter never adds up. If the
// counter's rate depends on the state of the CPU, or if the counter goes back
// because another CPU runs the thread, the clock is read.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_CLOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_CLOCK_H

#include "Base.h"
#include "System.h"
#include "arch/Processor.h"
#include <sys/rseq.h>

// Older C libraries have neither.
#pragma weak __rseq_offset

namespace thermocline::runtime {

/// A thread's last reading of the kernel's clock. All zeros: none yet.
class ThreadClock {
public:
  /// Milliseconds of a clock that never goes back. Those of two threads may
  /// differ by one at the turn of a millisecond.
  uint64_t milliseconds() {
    uint64_t Cycles = arch::cycles();
    if (__builtin_expect(Cycles - ReadAt < ValidCycles, true))
      return Milliseconds;
    return read(Cycles);
  }

private:
  uint64_t read(uint64_t Cycles);

  uint64_t ReadAt = 0;
  /// How long after ReadAt Milliseconds is right; 0 if unknown.
  uint64_t ValidCycles = 0;
  uint64_t Milliseconds = 0;
};

/// The CPU that runs this thread, where the kernel tells it without being
/// asked: in the area of restartable sequences that libc registers.
inline uint32_t currentCpu() {
  if (&__rseq_offset) {
    const auto *Area = reinterpret_cast<const volatile struct rseq *>(
        static_cast<const char *>(__builtin_thread_pointer()) + __rseq_offset);
    // Negative while, or if, it is not registered.
    uint32_t Cpu = Area->cpu_id;
    if (__builtin_expect(static_cast<int32_t>(Cpu) >= 0, true))
      return Cpu;
  }
  return sys::currentCpu();
}

} // namespace thermocline::runtime

#endif
