//===- platform/HiddenThread.h - A thread unknown to libc -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of the runtime's must change nothing that the program does. libc
// does more in programs with threads: it takes locks in fork() and in malloc(),
// which a signal handler may have interrupted, it counts threads to end the
// process with the last, and C++ libraries count references by atomic
// instructions. So these threads are started by the kernel alone, and libc does
// not count them.
//
// Each has thread-local variables of its own, all zeros, as far as this runtime
// and errno need them. So it must call nothing of libc but what makes system
// calls. All signals are blocked in it. It ends when it has nothing to do any
// more, or with the process. A filter of system calls may kill it alone, in the
// midst of its work; then others find that out, and take its locks over.
//
// libc gives memory of threads that it knows to others. The stack and the
// variables of these are the runtime's own, also in the child of a fork.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_HIDDENTHREAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_HIDDENTHREAD_H

#include "Base.h"
#include "Sleeper.h"

namespace thermocline::runtime {

class HiddenThread {
public:
  /// Does something. \returns the milliseconds after which to be called again,
  /// or that this was all.
  using Worker = uint64_t (*)();
  static constexpr uint64_t NoMore = UINT64_MAX;

  /// Starts the thread, which calls \p Work first after a millisecond. In the
  /// child of a fork, which does not have it, again. \returns false if there
  /// can be no thread.
  bool start(Worker W);

  /// Lets the thread do what is due, and waits until it has.
  void takeTurn() { Sleep.wakeAndWait(); }
  /// Lets it work whether something is due or not. May be called by signal
  /// handlers. Does nothing if there is no thread.
  void wake() {
    IsWanted.store(true);
    Sleep.wake();
  }
  /// Lets it work as wake() does, and waits until it has.
  void workNow() {
    IsWanted.store(true);
    takeTurn();
  }

  /// Whether something else than itself has ended it, but not the process.
  bool wasKilled() const { return GoesOn.load() && !Sleep.isThere(); }

  /// How many of the process's threads are of this kind.
  static unsigned count();
  /// Whether this thread is one.
  static bool isPresent();
  /// Whether \p State was that of such a thread, which was killed.
  static bool isOfKilled(const void *State);
  /// Says that there are none: in the child of a fork.
  static void forget() { Last.store(nullptr); }

private:
  static int run(void *This);

  void list();
  template <typename Predicate> static unsigned countThose(Predicate P) {
    unsigned Result = 0;
    for (HiddenThread *Each = Last.load(); Each; Each = Each->Earlier)
      Result += P(*Each);
    return Result;
  }

  /// The threads that were started, of which the last was Last. They live as
  /// long as the process.
  static Atomic<HiddenThread *> Last;
  HiddenThread *Earlier = nullptr;
  Worker Work = nullptr;
  /// From its start until it ends itself.
  Atomic<bool> GoesOn;
  /// Its ThreadState.
  Atomic<const void *> State;
  /// When it does its work for the first time.
  uint64_t FirstMs = 0;
  /// Whether it is to work before something is due.
  Atomic<bool> IsWanted;
  Sleeper Sleep;
  /// The thread's stack, and above it its thread-local variables.
  char *Memory = nullptr;
  size_t MemoryBytes = 0;
};

} // namespace thermocline::runtime

#endif
