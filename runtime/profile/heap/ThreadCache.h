//===- profile/heap/ThreadCache.h - What each thread keeps ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread has its own free blocks, measures and known calling contexts, so
// that no thread waits for another in an ordinary malloc or free. They are in
// mappings that are never given back and that all threads can walk: a profile
// takes in the measures of all threads at any time.
//
// A thread takes a cache with its first allocation: one that an ended thread
// has left, if there is any. It leaves the cache when libc runs the destructors
// of its thread-specific data, in the last of the rounds that libc makes. What
// libc itself or other destructors allocate and free after that goes through a
// cache that such threads share.
//
// Invariant: a cache's lock is held while its blocks or measures are used. The
// thread that owns it nearly always takes it without waiting. A signal handler
// that allocates, having interrupted that thread in the midst of it, has to use
// the shared cache too. Locks are taken in this order: a cache's, a context's
// or size class's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_THREADCACHE_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_THREADCACHE_H

#include "Heap.h"
#include "OrderSpace.h"
#include "measure/ContextGuesses.h"
#include "measure/MeasureCache.h"
#include "measure/StratifiedSampler.h"
#include "platform/Lock.h"
#include "platform/OwnerLock.h"
#include "platform/Thread.h"

namespace thermocline::runtime {

struct ThreadCache {
  OwnerLock Mutex;
  /// Whether a thread uses it.
  Atomic<uint32_t> Owned;
  /// The one made before this.
  ThreadCache *Next;
  HeapCache Blocks;
  MeasureCache Measures;
  OrderCursor Order;
  /// The owner's; not guarded by the lock.
  ContextGuesses Guesses;
  /// The owner's. Threads that share the cache have none.
  StratifiedSampler Sampled;
};

class ThreadCaches {
  friend class CacheUse;

public:
  /// \p H and \p C live as long as the program. \returns false if there is no
  /// memory.
  bool initialize(Heap *H, Contexts *C);

  /// Makes libc call \p Ends with the cache of each thread that ends, this one
  /// and those to come; it has to call threadEnds(). Called once, when libc is
  /// ready.
  void watchThreads(void (*Ends)(void *Cache));
  void threadEnds(ThreadCache &Cache);

  /// The one to use in this thread.
  ThreadCache &ofThisThread() {
    ThreadCache *Cache = thisThread().Cache;
    return __builtin_expect(Cache != nullptr, true) ? *Cache : take();
  }

  /// Whether \p Cache is the one that threads share.
  bool isShared(const ThreadCache &Cache) const { return &Cache == Shared; }

  /// Whether this is a signal handler that interrupted the runtime with a lock,
  /// or the thread left such a handler by longjmp().
  bool isInterrupted() const {
    const ThreadState &Thread = thisThread();
    return (Thread.LocksHeld && !Thread.HoldsAllLocks) ||
           (Thread.Cache && Thread.Cache->Mutex.isEntered());
  }

  /// Merges the measures of all threads into the contexts. A thread whose lock
  /// cannot be taken is passed over, soon if \p GiveUp; but this one's measures
  /// are merged whatever it was doing.
  void flushMeasures(bool GiveUp);
  void forgetMeasures();

  /// All locks, around fork, but for that of this thread's own cache: nobody
  /// else is about to take it who does not need the others first.
  void lockAll() THERMOCLINE_UNCHECKED;
  void unlockAll() THERMOCLINE_UNCHECKED;
  /// Takes what other threads had, in the child of a fork, where only this
  /// thread goes on, with all locks held.
  void inheritAll();
  /// Gives up what other threads had, after a fork that took no locks because
  /// this thread was interrupted. The others may have been in the midst of
  /// anything, so it is left alone.
  void abandonAll();

private:
  ThreadCache &take();
  ThreadCache *make(OwnerLock::Kind K);
  ThreadCache *lockShared(bool MayGiveUp);
  void leave(ThreadCache &Cache);
  void watchThisThread();

  bool isOwn(const ThreadCache &T) const {
    return &T == thisThread().Cache && !isShared(T);
  }
  template <typename Visitor> void visit(Visitor Visit) {
    for (ThreadCache *T = Newest.load(); T; T = T->Next)
      Visit(*T);
  }

  /// Caches made while all are locked, as by a thread that begins, must wait.
  Lock Growing;
  Heap *TheHeap = nullptr;
  Contexts *TheContexts = nullptr;
  ThreadCache *Shared = nullptr;
  /// The kind of locks of all others.
  OwnerLock::Kind OwnedKind = OwnerLock::Fenced;
  uint64_t NumMade THERMOCLINE_GUARDED_BY(Growing) = 0;
  Atomic<ThreadCache *> Newest;
  Atomic<bool> Watching;
  unsigned Key = 0;
};

/// The cache to use in this thread, its own or the shared one, locked while
/// this lives; none if it was allowed to give up and a fork may be waiting for
/// this thread.
class CacheUse {
public:
  // Which of two locks it takes is known only when it runs.
  THERMOCLINE_UNCHECKED explicit CacheUse(ThreadCaches &Caches,
                                          bool MayGiveUp = true)
      : Cache(&Caches.ofThisThread()) {
    if (__builtin_expect(!Cache->Mutex.enter(), false))
      Cache = Caches.lockShared(MayGiveUp);
  }
  THERMOCLINE_UNCHECKED ~CacheUse() {
    if (__builtin_expect(Cache != nullptr, true))
      Cache->Mutex.leave();
  }
  CacheUse(const CacheUse &) = delete;
  CacheUse &operator=(const CacheUse &) = delete;

  explicit operator bool() const {
    return __builtin_expect(Cache != nullptr, true);
  }
  ThreadCache *operator->() const { return Cache; }

private:
  ThreadCache *Cache;
};

} // namespace thermocline::runtime

#endif
