//===- process/BackgroundThread.h - The runtime's own thread ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread of the runtime that does what cannot be done where it is asked for:
// the requests of signal handlers, and work that is due from time to time. Only
// programs that ask for either of these have it.
//
// It must change nothing that the program can see. All signals are blocked in
// it. It has file descriptors of its own (sys::separateDescriptors), because
// the program may rely on the lowest free number, or close all descriptors. One
// case needs care. If the main thread ends before the others, the last thread
// to end runs the exit handlers, which need the program's descriptors. So in
// this case the thread is replaced by one that shares these descriptors. It
// ends when it is the last (ProgramThreads.h).
//
// It is also started in the child of a fork. fork() itself renews the locks
// that libc takes to start a thread. But libc keeps stacks of ended threads for
// the next ones, and frees thread-local variables on them. A thread of the
// parent may have been about to do so, in the midst of dlclose(). So this
// thread gets a stack of the runtime's own.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_BACKGROUNDTHREAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_BACKGROUNDTHREAD_H

#include "platform/Base.h"
#include "platform/ProgramThreads.h"
#include "platform/Sleeper.h"
#include <pthread.h>

namespace thermocline::runtime {

class BackgroundThread {
public:
  enum Request : uint32_t {
    Dump = 1,
    Reset = 2,
    /// Only the thread itself sees this one.
    Stop = 4,
  };
  /// Does the work that the bits of \p Requests ask for, maybe none. \returns
  /// the milliseconds after which to be called again.
  using Worker = uint64_t (*)(uint32_t Requests);

  /// Starts the thread, which calls \p Work first after one millisecond.
  /// \returns false if there can be no thread.
  bool start(Worker Work);

  /// Wakes the thread. May be called by signal handlers.
  void request(Request R);

  /// Lets the thread do what is due, and waits until it has.
  void takeTurn() { Sleep.wakeAndWait(); }

  /// Starts the thread in a child of fork, which has none, if the parent had
  /// it.
  void restartInChild();

private:
  static void *run(void *Argument);
  static void endOfMainThread(void *Argument);
  bool create(bool OwnDescriptors);
  /// \returns 0 or an error number.
  int createOnStack(size_t Bytes);
  bool createBesideMainThread();
  void loop();
  bool hasToEnd(ProgramThreads &Program) const;

  Worker Work = nullptr;
  bool Running = false;
  bool WithOwnDescriptors = false;
  pthread_t Thread = {};
  /// The thread's stack, whose lowest page cannot be touched.
  void *Stack = nullptr;
  size_t StackBytes = 0;
  pthread_key_t MainThreadKey = 0;
  /// When it does its work for the first time.
  uint64_t FirstMs = 0;
  /// Bits of Request.
  Atomic<uint32_t> Wanted;
  Sleeper Sleep;
};

} // namespace thermocline::runtime

#endif
