//===- profile/Runtime.h - The runtime's one state object ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_RUNTIME_H
#define THERMOCLINE_RUNTIME_PROFILE_RUNTIME_H

#include "Allocations.h"
#include "Contexts.h"
#include "Heap.h"
#include "Options.h"
#include "ProfileFile.h"
#include "ThreadCache.h"

namespace thermocline::runtime {

/// All that the runtime knows of the program but for each thread's own state.
/// All zeros is a valid beginning: the first allocation may come before any
/// constructor.
class Runtime {
public:
  /// The only one.
  static Runtime &get() {
    if (__builtin_expect(!Instance.HasMemory.load(), false))
      Instance.setUpMemory();
    return Instance;
  }

  /// The second half of the set-up, for which libc must be ready: called by
  /// the constructors of instrumented modules. Only the first call counts.
  void setUpProcess();

  Allocations &allocations() { return Allocated; }
  const Options &options() const { return TheOptions; }

  /// Writes the profile of everything up to now to its file. In the handler
  /// of a fatal signal, which may have interrupted the runtime, \p InSignal
  /// makes it go on without a lock that it cannot get. \returns whether a
  /// profile was written.
  bool dump(bool InSignal = false);

  /// dump(), if the options want it at the end of the program and this is not
  /// a child that still shares its parent's memory.
  void dumpAtEnd();

  /// Forgets what has ended up to now; what lives is kept. The next dump()
  /// writes another file.
  void reset();

private:
  void setUpMemory();
  void readOptions();
  void setLogPath();
  static void handleFatalSignal(int Signal);
  void installSignalHandlers();
  void lockAll();
  void unlockAll();
  void continueInChild();

  static Runtime Instance;

  Lock Starting;
  Atomic<bool> HasMemory;
  Atomic<bool> HasProcess;
  Heap TheHeap;
  Contexts TheContexts;
  ThreadCaches Caches;
  Allocations Allocated;
  Options TheOptions;
  /// Guards File and the dump as a whole.
  Lock Dumping;
  ProfileFile File;
  int ProcessId = 0;
};

} // namespace thermocline::runtime

#endif
