//===- profile/heap/Leader.h - One runtime in a process ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a process can come to have several copies of the runtime: a program
// that has the archive linked in beside libraries that need the shared one, or
// libraries in namespaces of their own (dlmopen). Each has a malloc; memory
// goes from one to the other, and each would write a profile.
//
// The first copy that starts becomes the leader. All others delegate to it what
// they are asked for, with their caller, and their counters are the leader's.
// They do not find it by a symbol, which version scripts, -Bsymbolic,
// RTLD_DEEPBIND and namespaces hide, but in a page at a fixed address. Whoever
// maps that page becomes the leader, so there is never a second one.
//
// The page is mapped last, so that it is in nobody's way.
//
// Cost: two system calls at the start.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_LEADER_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_LEADER_H

#include "unwind/CallStack.h"
#include <signal.h>

namespace thermocline::runtime {

/// An allocation that lives, recorded or shadow-tracked.
struct Extent {
  const void *Begin;
  size_t Size;
};

/// A number of allocations, and their bytes.
struct Amount {
  uint64_t Count;
  uint64_t Bytes;
};

/// What the leader does for other copies. Lives as long as the process.
struct Leader {
  /// Functions of Allocations.
  void *(*Allocate)(size_t Size, size_t Alignment, Caller Site, bool *Zeroed);
  void *(*Reallocate)(void *Address, size_t Size, Caller Site,
                      const char *Function);
  void (*Release)(void *Address, const char *Function);
  size_t (*SizeOf)(const void *Address);
  Extent (*Find)(const void *Address);
  Amount (*InUse)();

  /// Functions of Runtime.
  bool (*Dump)();
  void (*DumpAtEnd)();
  void (*GoOn)();
  void (*Reset)();
  void (*SetPhase)(const char *Name);
  bool (*PassTime)(uint64_t Microseconds);
  void (*PrintStatistics)();
  int (*UnloadLibrary)(int (*Unload)(void *), void *Library);
  void (*CheckCounters)(uint32_t Bytes);
  void (*AddNamespaceOf)(uintptr_t Address);
  void (*NoteCodeForSampling)();
  int (*ChangeAction)(int Signal, const struct sigaction *New,
                      struct sigaction *Old);
  long (*ChangeSignalStack)(const stack_t *New, stack_t *Old);

  /// Values of shadow.
  uintptr_t ShadowBase;
  bool IsHistogram;
  bool SkipsUncounted;
};

/// The leader of this process; null if there is none yet.
const Leader *findLeader();
/// Makes this copy the leader. \returns the leader if another has become it
/// meanwhile.
const Leader *becomeLeader(const Leader &This);

} // namespace thermocline::runtime

#endif
