//===- OwnerLock.h - A lock that one thread nearly owns ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: each malloc and free takes the lock of the thread's own cache, which
// other threads want a few times a second at most (for a profile, or a fork).
// An atomic exchange takes a fifth of the time of a malloc, even if nobody else
// has the cache line.
//
// The owner announces by a plain store that it is inside, and then looks, by a
// plain load, whether somebody else has the lock (Dekker's algorithm). The
// processor may execute that load before the store, so one of the two sides
// needs a barrier between its store and its load. The side that comes rarely
// makes it for both: it asks the kernel for a barrier in every thread
// (membarrier). On the owner's side only the compiler is kept from reordering.
//
//   owner:  Entered = 1; Taken?        other:  Taken = 1; barrier; Entered?
//
// Proof of exclusion: the kernel makes a barrier in the owner's thread. If the
// owner's load comes before that barrier, so does its store. The other thread
// looks at Entered after the barrier, sees the store, and waits. If the owner's
// load comes after the barrier, it sees Taken, and the owner withdraws. A
// thread that was not running had its barrier when it was switched out. A
// thread that becomes the owner later gets the cache by a release and an
// acquire. Whoever reads Entered == 0, which leave() releases, sees what the
// owner did. The owner sees what others did by its acquire of Taken == 0.
//
// The kind of a lock is decided when it is made, before any thread uses it. If
// the kernel has no membarrier, the owner's side makes the barrier itself
// (Fenced). The lock of a cache that many threads use has no owner (Common).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_OWNERLOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_OWNERLOCK_H

#include "Base.h"
#include "ThreadSafety.h"

namespace thermocline::runtime {

/// All zeros is a lock of kind Fenced that nobody has.
class THERMOCLINE_LOCK OwnerLock {
public:
  enum Kind : uint32_t { Fenced, Asymmetric, Common };

  /// Before any thread uses it. Asymmetric needs sys::registerForBarriers().
  void initialize(Kind NewKind) {
    TheKind = NewKind;
    Entered.store(NewKind == Common);
  }

  /// Takes the lock for the owner. \returns false if the lock is Common, if
  /// this is a signal handler that interrupted the owner between enter() and
  /// leave(), or if a fork may be waiting for this thread (Lock.h).
  bool enter() THERMOCLINE_TRY_ACQUIRE() {
    if (__builtin_expect(Entered.loadRelaxed(), false))
      return false;
    if (__builtin_expect(TheKind == Asymmetric, true)) {
      Entered.storeRelaxed(1);
      __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } else {
      enterFenced();
    }
    return __builtin_expect(!Taken.load(), true) || enterSlowly();
  }

  /// Ends what enter() or, for a Common lock, lockForeign() began.
  void leave() THERMOCLINE_RELEASE() THERMOCLINE_UNCHECKED {
    if (__builtin_expect(TheKind != Common, true))
      Entered.store(0);
    else
      unlockForeign();
  }

  /// Takes the lock for any thread, including the owner when it is not inside.
  /// For a thread that has all locks around a fork this does nothing.
  void lockForeign() THERMOCLINE_ACQUIRE();
  void unlockForeign() THERMOCLINE_RELEASE();
  /// Gives up if a fork may be waiting for this thread. Only for a Common lock.
  bool lockUnlessForking() THERMOCLINE_TRY_ACQUIRE();
  /// Gives up after half a second if \p Soon, for callers that may have been
  /// interrupted with the lock, or that may try again. Otherwise gives up after
  /// ten: an owner that left a signal handler by longjmp() never leaves the
  /// lock. \returns whether it was taken.
  bool lockForeignOrGiveUp(bool Soon) THERMOCLINE_TRY_ACQUIRE();

  /// Whether the owner is inside, or about to see that it may not be.
  bool isEntered() const { return TheKind != Common && Entered.load(); }

  /// Resets the lock in the child of a fork, with the lock held. In the parent,
  /// the owner may have been about to see that it may not be inside. It does
  /// not exist here.
  void forgetOwner() { initialize(TheKind); }

private:
  void enterFenced();
  bool enterSlowly();
  bool tryTake();

  /// Always set if the lock is Common.
  Atomic<uint32_t> Entered;
  /// Whether another thread has taken the lock.
  Atomic<uint32_t> Taken;
  Kind TheKind = Fenced;
};

/// Has a lock of another thread while it lives, or was told by \p Try not to
/// try, or gave up: see OwnerLock::lockForeignOrGiveUp().
class THERMOCLINE_SCOPED ForeignGuard {
public:
  /// Waits as long as it takes.
  explicit ForeignGuard(OwnerLock &L) THERMOCLINE_ACQUIRE(L);
  explicit ForeignGuard(OwnerLock &L, bool Soon, bool Try = true)
      THERMOCLINE_ACQUIRE(L);
  ~ForeignGuard() THERMOCLINE_RELEASE();
  ForeignGuard(const ForeignGuard &) = delete;
  ForeignGuard &operator=(const ForeignGuard &) = delete;

  bool isHeld() const { return Held; }

private:
  OwnerLock &L;
  bool Held;
};

} // namespace thermocline::runtime

#endif
