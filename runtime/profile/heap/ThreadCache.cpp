//===- profile/heap/ThreadCache.cpp - What each thread keeps --------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCache.h"
#include "platform/Lock.h"
#include "platform/System.h"
#include <limits.h>
#include <pthread.h>

using namespace thermocline::runtime;

constinit thread_local ThreadState thermocline::runtime::TheThread;

bool ThreadCaches::initialize(Heap *H, Contexts *C) {
  TheHeap = H;
  TheContexts = C;
  OwnedKind =
      sys::registerForBarriers() ? OwnerLock::Asymmetric : OwnerLock::Fenced;
  Shared = make(OwnerLock::Common);
  return Shared;
}

ThreadCache *ThreadCaches::make(OwnerLock::Kind K) {
  void *Memory = sys::mapPages(roundUp(sizeof(ThreadCache), pageBytes()));
  if (!Memory)
    return nullptr;
  auto *New = static_cast<ThreadCache *>(Memory);
  New->Mutex.initialize(K);
  New->Owned.store(1);
  GuardUnlessForking G(Growing);
  if (!G.isHeld()) {
    sys::unmapPages(Memory, roundUp(sizeof(ThreadCache), pageBytes()));
    return nullptr;
  }
  New->Sampled.seed(NumMade++);
  New->Next = Newest.load();
  Newest.store(New);
  return New;
}

ThreadCache &ThreadCaches::take() {
  ThreadState &Thread = thisThread();
  ThreadCache *Found = nullptr;
  visit([&](ThreadCache &T) {
    uint32_t Free = 0;
    if (!Found && !T.Owned.load() && T.Owned.compareExchange(Free, 1))
      Found = &T;
  });
  if (!Found)
    Found = make(OwnedKind);
  if (!Found)
    return *Shared;
  Thread.Cache = Found;
  watchThisThread();
  return *Found;
}

// Whether it takes the lock is known only when it runs.
THERMOCLINE_UNCHECKED ThreadCache *ThreadCaches::lockShared(bool MayGiveUp) {
  if (!MayGiveUp)
    Shared->Mutex.lockForeign();
  else if (!Shared->Mutex.lockUnlessForking())
    return nullptr;
  return Shared;
}

void ThreadCaches::leave(ThreadCache &Cache) {
  // Whether the thread ends in a signal handler that interrupted an allocation.
  bool GiveUp = isInterrupted();
  thisThread().Cache = Shared;
  thisThread().Sampled = nullptr;
  if (Cache.Mutex.isEntered()) {
    Cache.Blocks = {};
    Cache.Mutex.forgetOwner();
  }
  {
    ForeignGuard G(Cache.Mutex);
    Cache.Measures.flush(*TheContexts, GiveUp);
    TheHeap->empty(Cache.Blocks);
  }
  Cache.Owned.store(0);
}

//===-- Ends of threads ---------------------------------------------------===//

void ThreadCaches::threadEnds(ThreadCache &Cache) {
  // The destructors of others may allocate, and set values of theirs again.
  if (++thisThread().EndingRounds < PTHREAD_DESTRUCTOR_ITERATIONS)
    pthread_setspecific(Key, &Cache);
  else
    leave(Cache);
}

void ThreadCaches::watchThreads(void (*Ends)(void *)) {
  if (pthread_key_create(&Key, Ends) != 0)
    return;
  Watching.store(true);
  if (thisThread().Cache)
    watchThisThread();
}

void ThreadCaches::watchThisThread() {
  if (!Watching.load())
    return;
  // libc may allocate for this.
  InsideRuntime Inside;
  pthread_setspecific(Key, thisThread().Cache);
}

//===-- All threads -------------------------------------------------------===//

void ThreadCaches::flushMeasures(bool GiveUp) {
  visit([&](ThreadCache &T) {
    // If its owner is inside and is this thread, it was interrupted in the
    // midst of an allocation, which it will not go on with.
    bool IsMine = &T == thisThread().Cache;
    ForeignGuard G(T.Mutex, GiveUp,
                   /*Try=*/!(IsMine && T.Mutex.isEntered()));
    if (G.isHeld() || IsMine)
      T.Measures.flush(*TheContexts, /*GiveUp=*/true);
  });
}

void ThreadCaches::forgetMeasures() {
  visit([&](ThreadCache &T) {
    ForeignGuard G(T.Mutex, /*Soon=*/false);
    T.Measures.forget();
  });
}

void ThreadCaches::lockAll() {
  // It needs one if it allocates before unlockAll().
  ofThisThread();
  Growing.lock();
  visit([this](ThreadCache &T) THERMOCLINE_UNCHECKED {
    if (!isOwn(T))
      T.Mutex.lockForeign();
  });
}

void ThreadCaches::unlockAll() {
  visit([this](ThreadCache &T) THERMOCLINE_UNCHECKED {
    if (!isOwn(T))
      T.Mutex.unlockForeign();
  });
  Growing.unlock();
}

void ThreadCaches::inheritAll() {
  visit([&](ThreadCache &T) {
    T.Measures.forget();
    T.Mutex.forgetOwner();
    if (&T == thisThread().Cache || &T == Shared)
      return;
    TheHeap->empty(T.Blocks);
    T.Owned.store(0);
  });
}

void ThreadCaches::abandonAll() {
  visit([&](ThreadCache &T) {
    T.Measures.forget();
    if (&T == thisThread().Cache || &T == Shared)
      return;
    T.Blocks = {};
    T.Mutex.forgetOwner();
    T.Owned.store(0);
  });
}
