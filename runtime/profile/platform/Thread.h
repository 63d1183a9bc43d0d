//===- platform/Thread.h - What the runtime knows of a thread ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PLATFORM_THREAD_H
#define THERMOCLINE_RUNTIME_PROFILE_PLATFORM_THREAD_H

#include "Base.h"
#include "Clock.h"

namespace thermocline::runtime {

/// Addresses [Low, High) of a stack.
struct StackRange {
  uintptr_t Low = 0;
  uintptr_t High = 0;
  bool contains(uintptr_t Address) const {
    return Address >= Low && Address < High;
  }
};

struct ThreadCache;
class StratifiedSampler;

struct ThreadState {
  /// Depth of the runtime's own calls into libc. What is allocated meanwhile is
  /// not the program's and not profiled.
  unsigned Inside = 0;
  /// Whether a hook of the program runs, see Hooks.h.
  bool IsInHook = false;
  /// Locks that this thread has or waits for, but for that of its own cache.
  /// Not 0 in a signal handler: the thread was interrupted with them.
  unsigned LocksHeld = 0;
  /// Between lockAll() and its end around a fork: what this thread does then,
  /// in fork handlers of the program's, it does with the locks that it has.
  bool HoldsAllLocks = false;
  /// Whether it has also taken libc's lock of all files, around a fork.
  bool HoldsFileList = false;
  /// Whether it forks without the runtime's locks, because it was interrupted
  /// with some of them. If ForksUndumped, it forks without that of dumps only.
  bool ForksInterrupted = false;
  bool ForksUndumped = false;
  /// Whether it forks with a copy of what is watched (WatchedPages.h).
  bool ForksWatched = false;
  /// The fork that it does not wait for, see Lock.h.
  uint32_t GaveUpAtFork = 0;
  /// Whether it has file descriptors of its own, which the program does not
  /// share.
  bool HasOwnDescriptors = false;
  /// Valid if StackKnown.
  StackRange Stack;
  bool StackKnown = false;
  /// The end of the stack when it was walked last; 0 if it never was.
  uintptr_t LastFrame = 0;
  /// How often libc has said that this thread ends.
  unsigned EndingRounds = 0;
  /// Null before the thread's first allocation.
  ThreadCache *Cache = nullptr;
  /// The sampler of the cache, if allocations of this thread may be delegated
  /// to libc. Null while Inside is not 0, and from then to the next allocation.
  StratifiedSampler *Sampled = nullptr;
  /// The address that depths of the stack are measured from.
  uintptr_t FirstFrame = 0;
  ThreadClock Clock;
};

extern constinit thread_local ThreadState TheThread;

/// This thread's state. Needs no initialization.
inline ThreadState &thisThread() { return TheThread; }

/// Marks that the runtime itself is at work in this thread.
class InsideRuntime {
public:
  InsideRuntime() { enter(); }
  ~InsideRuntime() { --thisThread().Inside; }
  InsideRuntime(const InsideRuntime &) = delete;
  InsideRuntime &operator=(const InsideRuntime &) = delete;

  /// Marks it for the rest of the thread's life.
  static void enter() {
    ++thisThread().Inside;
    thisThread().Sampled = nullptr;
  }
};

} // namespace thermocline::runtime

#endif
