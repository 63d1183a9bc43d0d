//===- profile/entry/Copies.cpp - Which copy of the runtime does the work -===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which copy of the runtime does the work: no copy, if the program's
// malloc belongs to another library; the leader, if a process has several
// (Leader.h).
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Preload.h"
#include "lifecycle/Runtime.h"
#include "measure/Shadow.h"
#include "platform/LibcFunctions.h"

using namespace thermocline::runtime;

void Runtime::follow(const Leader &L) {
  Over = &L;
  shadow::setBase(L.ShadowBase, L.IsHistogram);
  shadow::SkipsUncounted = L.SkipsUncounted;
  Allocated.follow(L);
}

/// Announces this copy as the leader. Other copies call these functions as they
/// would call their own.
void Runtime::lead() {
  Leader This = {};
  This.Allocate = [](size_t Size, size_t Alignment, Caller Site, bool *Zeroed) {
    return Instance.Allocated.allocate(Size, Alignment, Site, Zeroed);
  };
  This.Reallocate = [](void *Address, size_t Size, Caller Site,
                       const char *Function) {
    return Instance.Allocated.reallocate(Address, Size, Site, Function);
  };
  This.Release = [](void *Address, const char *Function) {
    Instance.Allocated.release(Address, Function);
  };
  This.SizeOf = [](const void *Address) {
    return Instance.Allocated.sizeOf(Address);
  };
  This.Find = [](const void *Address) {
    return Instance.Allocated.find(Address);
  };
  This.InUse = [] { return Instance.Allocated.inUse(); };
  This.Dump = [] { return Instance.dump(); };
  This.DumpAtEnd = [] { Instance.dumpAtEnd(); };
  This.GoOn = [] { Instance.goOn(); };
  This.Reset = [] { Instance.reset(); };
  This.SetPhase = [](const char *Name) { Instance.setPhase(Name); };
  This.PassTime = [](uint64_t Microseconds) {
    return Instance.passTime(Microseconds);
  };
  This.PrintStatistics = [] { Instance.printStatistics(); };
  This.UnloadLibrary = [](int (*Unload)(void *), void *Library) {
    return Instance.unloadLibrary(Unload, Library);
  };
  This.CheckCounters = [](uint32_t Bytes) { Instance.checkCounters(Bytes); };
  This.AddNamespaceOf = [](uintptr_t Address) {
    Instance.Code.addNamespaceOf(Address);
  };
  This.NoteCodeForSampling = [] { Instance.noteCodeForSampling(); };
  This.ChangeAction = [](int Signal, const struct sigaction *New,
                         struct sigaction *Old) {
    return Instance.changeAction(Signal, New, Old);
  };
  This.ChangeSignalStack = [](const stack_t *New, stack_t *Old) {
    return Instance.changeSignalStack(New, Old);
  };
  This.ShadowBase = thermocline_shadow_base;
  This.IsHistogram = shadow::IsHistogram;
  This.SkipsUncounted = shadow::SkipsUncounted;
  if (const Leader *Other = becomeLeader(This))
    follow(*Other);
}

bool Runtime::maySample() const {
  return !Over && TheHeap.ownsRange() && !Allocated.Use.HasHooks;
}

bool Runtime::join(const format::AllocatorFunctions &Functions) {
  if (!libc().join(Functions))
    return false;
  if (!TheOptions.Standby)
    Functions.OfferAll(true);
  return true;
}

/// A program that was not linked with the runtime may load a library that was.
/// Its malloc is then another, and memory from it would be freed by the
/// runtime, or the other way round. So where two allocators would be mixed,
/// everything is left to the program's.
void Runtime::checkAllocator() {
  if (libc().Allocator.Joined)
    return;
  void *(*Malloc)(size_t);
  void (*Free)(void *);
  if (!resolveAs(Malloc, definitionInProgram("malloc")) ||
      !resolveAs(Free, definitionInProgram("free")))
    return;
  void *Test = Malloc(1);
  IsPassedBy = Test && !TheHeap.isSmall(Test);
  Free(Test);
  if (!IsPassedBy)
    return;
  libc().resolveAllocatorOfProgram();
  Allocated.delegateAll();
  if (!isListedProgram())
    return;
  auto *Address = reinterpret_cast<void *>(Malloc);
  Message M;
  M << "malloc is that of "
    << (isStubOfProgram(Address) ? "another library" : objectOf(Address))
    << " in this program: nothing is recorded. ";
  if (thermocline_is_preloaded)
    M << "A program that has an allocator of its own cannot be profiled like "
         "this; a library with one has to come behind "
      << objectOf(&Instance) << " in LD_PRELOAD\n";
  else
    M << "Link the program, and not its libraries alone, by "
         "thermocline-generate.cfg, or run it under LD_PRELOAD="
      << objectOf(&Instance) << "\n";
}
