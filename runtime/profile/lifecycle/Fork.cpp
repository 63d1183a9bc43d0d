//===- profile/lifecycle/Fork.cpp - Locks around fork() -------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes and releases the runtime's locks around fork(). Without this, a child
// would inherit locks from threads that it does not have.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "platform/System.h"
#include "platform/TestClock.h"
#include "platform/Thread.h"
#include <sys/single_threaded.h>

using namespace thermocline::runtime;

// libc's lock of all its files, which it takes in fork() after it has called
// fork handlers. Static programs need not have it.
extern "C" {
__attribute__((weak)) void _IO_list_lock() noexcept;
__attribute__((weak)) void _IO_list_unlock() noexcept;
/// Makes the lock free.
__attribute__((weak)) void _IO_list_resetlock() noexcept;
}

void Runtime::lockAll() {
  // A signal handler that forks must not wait for what it interrupted. It need
  // not, if there are no other threads but the runtime's own.
  ThreadState &Thread = thisThread();
  Thread.ForksInterrupted = Caches.isInterrupted();
  if (Thread.ForksInterrupted) {
    Thread.ForksUndumped = Dumping.lockOrGiveUp(MaxWaitForDumpSeconds);
    Thread.ForksWatched = Watched.prepareFork(/*IsInterrupted=*/true);
    return;
  }
  // A thread that registers a handler allocates with a lock that fork() takes
  // next.
  beginFork();
  ForkHandlers.lock();
  // In the order in which they are taken elsewhere. A thread that flushes all
  // files may allocate with libc's lock, and would wait for this one, for which
  // this one would wait in fork() with ours.
  // Where there are no other threads, libc leaves it alone, too.
  Thread.HoldsFileList = _IO_list_lock && !__libc_single_threaded;
  if (Thread.HoldsFileList)
    _IO_list_lock();
  Dumping.lock();
  Windows.Mutex.lock();
  Code.lock();
  Caches.lockAll();
  TheContexts.lockAll();
  TheHeap.lockAll();
  Thread.ForksWatched = Watched.prepareFork(/*IsInterrupted=*/false);
  // Fork handlers that the program registered before the runtime's come after
  // this one.
  Thread.HoldsAllLocks = true;
}

void Runtime::unlockInterrupted() {
  if (thisThread().ForksUndumped)
    Dumping.unlock();
}

void Runtime::unlockAll() {
  if (thisThread().ForksWatched && Watched.continueInParent())
    Scanner.wake();
  if (thisThread().ForksInterrupted) {
    unlockInterrupted();
    return;
  }
  thisThread().HoldsAllLocks = false;
  TheHeap.unlockAll();
  TheContexts.unlockAll();
  Caches.unlockAll();
  Code.unlock();
  Windows.Mutex.unlock();
  Dumping.unlock();
  if (thisThread().HoldsFileList)
    _IO_list_unlock();
  ForkHandlers.unlock();
  endFork();
  Allocated.releaseDeferred(/*Counts=*/true);
}

void Runtime::continueInChild() {
  forgetForks();
  TestClock::restartInChild();
  Watched.continueInChild(thisThread().ForksWatched);
  if (thisThread().ForksInterrupted) {
    Caches.abandonAll();
    // Another thread may have been in the midst of a scan.
    Windows.turnOff();
    unlockInterrupted();
  } else {
    thisThread().HoldsAllLocks = false;
    TheHeap.unlockAll();
    Caches.inheritAll();
    TheContexts.unlockAll();
    Caches.unlockAll();
    Code.unlock();
    Windows.restartInChild();
    Windows.Mutex.unlock();
    Dumping.unlock();
    if (thisThread().HoldsFileList)
      _IO_list_resetlock();
    ForkHandlers.unlock();
    Allocated.releaseDeferred(/*Counts=*/false);
  }
  InsideRuntime Inside;
  // Allocations that ended before belong to the parent's profile. Those that
  // live may be used by either process.
  TheContexts.clearMeasures();
  RunBeginMs = Allocated.elapsedMs();
  ProcessId = sys::processId();
  // This takes no lock: there is no other thread yet, and a fork in a handler
  // may have interrupted this one with it.
  setLogPath();
  HiddenThread::forget();
  Message::forgetKept();
  continueServer();
  if (TheOptions.Standby) {
    Requester.forget();
    endRecording(/*Writes=*/false);
  }
  startScanner();
}
