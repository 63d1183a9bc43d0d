//===- platform/BackgroundThread.h - The runtime's own thread ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread that does what cannot be done where it is asked for: what a signal
// handler wants, and what is to be done from time to time. Only programs that
// ask for either have it.
//
// It is to change nothing that the program can see: all signals are blocked in
// it, and its file descriptors are its own (sys::separateDescriptors), so that
// the program, which may rely on the lowest free number or close all, never
// meets them. One thing needs care. If the main thread ends before the others,
// the last thread of all ends the process, with the exit handlers and so with
// the program's descriptors. Then the thread is replaced by one that shares
// them, which ends when it is the last.
//
// It is also started in the child of a fork. The locks that libc takes to start
// a thread are renewed by fork() itself. But of a stack that a thread of the
// parent left to libc for the next one, libc frees variables that it may have
// been about to free then, in the midst of dlclose(): so the thread's stack is
// of our own.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_BACKGROUNDTHREAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_BACKGROUNDTHREAD_H

#include "Base.h"
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
  /// Does what is asked for in the bits of \p Requests, maybe none. \returns
  /// the milliseconds after which to be called again.
  using Worker = uint64_t (*)(uint32_t Requests);

  /// Starts the thread, which calls \p Work first after one millisecond.
  /// \returns false if there can be no thread.
  bool start(Worker Work);

  /// Wakes the thread. May be called by signal handlers.
  void request(Request R);

  /// In a child of fork, which has no such thread: starts one, if there was.
  void restartInChild();

private:
  static void *run(void *Argument);
  static void endOfMainThread(void *Argument);
  bool create(bool OwnDescriptors);
  /// \returns 0 or an error number.
  int createOnStack(size_t Bytes);
  bool createBesideMainThread();
  void loop();
  bool isLast() const;

  Worker Work = nullptr;
  bool Running = false;
  bool WithOwnDescriptors = false;
  pthread_t Thread = {};
  /// The thread's, the lowest page of which cannot be touched.
  void *Stack = nullptr;
  size_t StackBytes = 0;
  pthread_key_t MainThreadKey = 0;
  /// Bits of Request; what the thread sleeps on.
  Atomic<uint32_t> Wanted;
};

} // namespace thermocline::runtime

#endif
