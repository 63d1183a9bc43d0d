//===- OwnerLock.h - A lock that one thread nearly owns ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: each malloc and free takes the lock of the thread's own cache, which
// other threads want a few times a second at most (a profile, a fork). An
// atomic exchange, though nobody else has the cache line, is a fifth of the
// whole malloc.
//
// The owner says that it is inside by a plain store and then looks, by a plain
// load, whether somebody else has the lock (Dekker's way). The processor may
// let that load pass the store, so one of the two sides needs a barrier between
// its store and its load; who comes rarely makes it for both, by asking the
// kernel for a barrier in every thread (membarrier). Only the compiler is kept
// from reordering on the owner's side.
//
//   owner:  Entered = 1; Taken?        other:  Taken = 1; barrier; Entered?
//
// Proof of exclusion: the owner's store and load stand before or after the
// barrier that the kernel makes in its thread. If its load stands before, so
// does its store, and the other, which looks at Entered after that barrier,
// sees it and waits. If its load stands after, it sees Taken, and withdraws.
// A thread that was not running had its barrier when it was switched out, and
// one that becomes the owner later has the cache handed over by a release and
// an acquire. Whatever the owner did is seen by who reads Entered == 0, which
// leave() releases; what the others did, by the owner's acquire of Taken == 0.
//
// Which kind a lock is, is decided when it is made, before any thread uses it.
// Where the kernel has no membarrier, the owner's side has the barrier itself
// (Fenced). A lock of a cache that many threads use has no owner (Common).
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

  /// For the owner. \returns false if the lock is Common, this is a signal
  /// handler that interrupted the owner between enter() and leave(), or a fork
  /// may be waiting for this thread (Lock.h).
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

  /// For any thread; for the owner too, when it is not inside. For one that has
  /// all locks around a fork these do nothing.
  void lockForeign() THERMOCLINE_ACQUIRE();
  void unlockForeign() THERMOCLINE_RELEASE();
  /// Gives up if a fork may be waiting for this thread. Only for a Common lock.
  bool lockUnlessForking() THERMOCLINE_TRY_ACQUIRE();
  /// Gives up after half a second if \p Soon: for who may have been interrupted
  /// with the lock, or may come again. Else after ten: an owner that left by
  /// longjmp() from a signal handler never leaves the lock. \returns whether it
  /// was taken.
  bool lockForeignOrGiveUp(bool Soon) THERMOCLINE_TRY_ACQUIRE();

  /// Whether the owner is inside, or about to see that it may not be.
  bool isEntered() const { return TheKind != Common && Entered.load(); }

  /// In the child of a fork, with the lock held: the owner may have been about
  /// to see that in the parent, and is no more.
  void forgetOwner() { initialize(TheKind); }

private:
  void enterFenced();
  bool enterSlowly();
  bool tryTake();

  /// Always set if the lock is Common.
  Atomic<uint32_t> Entered;
  /// By others.
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
