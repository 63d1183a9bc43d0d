//===- profile/platform/Lock.h - A mutex below malloc -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LOCK_H

#include "Base.h"

namespace thermocline::runtime {

/// A mutex of four bytes that sleeps in the kernel. Not recursive; all zeros
/// is unlocked, so that it works before any constructor has run. For the
/// thread that has all locks around a fork, these functions do nothing.
class Lock {
public:
  void lock();
  void unlock();
  /// For signal handlers: gives up if this thread has the lock, which it was
  /// interrupted with, and else after about so many seconds. \returns whether
  /// it was taken.
  bool lockOrGiveUp(unsigned Seconds = 1);

private:
  bool spinUntilTaken();
  void waitUntilTaken();

  enum : uint32_t { Unlocked, Locked, Contended };
  Atomic<uint32_t> State;
  /// The state of the thread that has it.
  Atomic<const void *> Owner;
};

template <typename AnyLock> class Guard {
public:
  explicit Guard(AnyLock &L) : L(L) { L.lock(); }
  ~Guard() { L.unlock(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  AnyLock &L;
};

} // namespace thermocline::runtime

#endif
