//===- profile/platform/Lock.h - A mutex below malloc -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_LOCK_H

#include "Base.h"
#include "ThreadSafety.h"

namespace thermocline::runtime {

/// Around a fork, the forking thread takes all locks of the runtime, and then
/// fork() takes locks of libc's. A thread that has one of libc's locks must not
/// wait for the runtime's for ever, because fork() waits for that thread. Marks
/// the beginning of a fork.
void beginFork();
void endFork();
/// Forgets the forks, in a child, where no other thread can be about to fork.
void forgetForks();

/// Measures how long a thread has waited beside a fork.
class PatienceBesideForks {
public:
  /// To be called after each pause of \p Microseconds. \returns whether the
  /// fork has lasted so long that it may be waiting for this thread; then this
  /// thread waits no more while it lasts.
  bool isOver(unsigned Microseconds);

private:
  unsigned Waited = 0;
};

/// A mutex that sleeps in the kernel. Not recursive; all zeros is unlocked, so
/// that it works before any constructor has run. For the thread that has all
/// locks around a fork, these functions do nothing. Who waits for one that the
/// runtime's own thread had when it was killed (HiddenThread.h) gets it, and
/// has to ask whether that has happened.
class THERMOCLINE_LOCK Lock {
public:
  void lock() THERMOCLINE_ACQUIRE();
  void unlock() THERMOCLINE_RELEASE();
  /// Takes the lock for a signal handler. Gives up if this thread was
  /// interrupted with the lock, and otherwise after about this many seconds.
  /// \returns whether it was taken.
  bool lockOrGiveUp(unsigned Seconds = 1) THERMOCLINE_TRY_ACQUIRE();
  /// Gives up if a fork may be waiting for this thread. \returns whether it was
  /// taken.
  bool lockUnlessForking() THERMOCLINE_TRY_ACQUIRE();

private:
  bool spinUntilTaken();
  void waitUntilTaken();
  bool takeWithin(unsigned Milliseconds);
  bool takeOver();

  enum : uint32_t { Unlocked, Locked, Contended };
  Atomic<uint32_t> State;
  /// The state of the thread that has it.
  Atomic<const void *> Owner;
};

template <typename AnyLock> class THERMOCLINE_SCOPED Guard {
public:
  explicit Guard(AnyLock &L) THERMOCLINE_ACQUIRE(L) : L(L) { L.lock(); }
  ~Guard() THERMOCLINE_RELEASE() { L.unlock(); }
  Guard(const Guard &) = delete;
  Guard &operator=(const Guard &) = delete;

private:
  AnyLock &L;
};

/// A guard for a thread that may be in a signal handler: see lockOrGiveUp(). A
/// thread that gave up may use what the lock guards, unless isHeld() is asked
/// for: then nobody else is in the midst of it but this thread itself, which
/// does not go on, or a thread that never will.
class THERMOCLINE_SCOPED GuardOrGiveUp {
public:
  /// Gives up only if \p GiveUp.
  explicit GuardOrGiveUp(Lock &L, bool GiveUp = true, unsigned Seconds = 1)
      THERMOCLINE_ACQUIRE(L);
  ~GuardOrGiveUp() THERMOCLINE_RELEASE();
  GuardOrGiveUp(const GuardOrGiveUp &) = delete;
  GuardOrGiveUp &operator=(const GuardOrGiveUp &) = delete;

  bool isHeld() const { return Held; }

private:
  Lock &L;
  bool Held = true;
};

/// A guard for a thread that may have a lock of libc's: see
/// lockUnlessForking(). What the lock guards may be used only if isHeld().
class THERMOCLINE_SCOPED GuardUnlessForking {
public:
  explicit GuardUnlessForking(Lock &L) THERMOCLINE_ACQUIRE(L);
  ~GuardUnlessForking() THERMOCLINE_RELEASE();
  GuardUnlessForking(const GuardUnlessForking &) = delete;
  GuardUnlessForking &operator=(const GuardUnlessForking &) = delete;

  bool isHeld() const { return Held; }

private:
  Lock &L;
  bool Held;
};

} // namespace thermocline::runtime

#endif
