//===- profile/platform/HiddenThread.cpp - A thread unknown to libc -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HiddenThread.h"
#include "Files.h"
#include "ProgramThreads.h"
#include "System.h"
#include "Thread.h"
#include "arch/ThreadBlock.h"
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

constinit Atomic<HiddenThread *> HiddenThread::Last;

unsigned HiddenThread::count() {
  return countThose([](const HiddenThread &Each) {
    return Each.GoesOn.load() && Each.Sleep.isThere();
  });
}

bool HiddenThread::isPresent() {
  return countThose([](const HiddenThread &Each) {
    return Each.State.load() == &thisThread();
  });
}

bool HiddenThread::isOfKilled(const void *State) {
  return countThose([&](const HiddenThread &Each) {
    return State == Each.State.load() && Each.wasKilled();
  });
}

/// By the one thread that starts such threads, or starts one again.
void HiddenThread::list() {
  if (countThose([&](const HiddenThread &Each) { return &Each == this; }))
    return;
  Earlier = Last.load();
  Last.store(this);
}

static uint64_t now() { return sys::nanoseconds() / 1000000; }

static constexpr size_t StackBytes = 128 * 1024;

/// How far the variables that the thread uses reach from the thread register.
static size_t variableBytes(uintptr_t Register) {
  auto Reach = [&](uintptr_t Begin, size_t Size) {
    return arch::VariablesAreAbove ? Begin + Size - Register : Register - Begin;
  };
  size_t Bytes =
      Reach(reinterpret_cast<uintptr_t>(&thisThread()), sizeof(ThreadState));
  if (size_t Errno = Reach(reinterpret_cast<uintptr_t>(&errno), sizeof(errno));
      Errno > Bytes)
    Bytes = Errno;
  return roundUp(Bytes, pageBytes());
}

int HiddenThread::run(void *Argument) {
  auto *This = static_cast<HiddenThread *>(Argument);
  This->State.store(&thisThread());
  InsideRuntime::enter();
  // So long that looks cost nothing, and short enough for a process that ends.
  constexpr uint64_t LookMs = 100;
  uint64_t Next = This->FirstMs, NextLook = Next + 1;
  ProgramThreads Program;
  for (;;) {
    const uint32_t TimesWoken = This->Sleep.timesWoken();
    if (This->IsWanted.exchange(false) || now() >= Next) {
      const uint64_t Milliseconds = This->Work();
      if (Milliseconds == NoMore)
        break;
      Next = Milliseconds + now();
    }
    const uint64_t Now = now();
    // Work separates descriptors itself if it needs that, when it is done
    // first. The program must not see the file that this looks into.
    if (Now >= NextLook) {
      NextLook = Now + LookMs;
      if ((thisThread().HasOwnDescriptors || sys::separateDescriptors()) &&
          Program.haveEnded(count()) == ProgramThreads::Yes)
        break;
    }
    This->Sleep.sleep(TimesWoken, Next > Now ? Next - Now : 0, LookMs);
  }
  This->GoesOn.store(false);
  This->Sleep.end();
  for (;;)
    sys::call(SYS_exit);
}

bool HiddenThread::start(Worker W) {
  Work = W;
  size_t Variables =
      variableBytes(reinterpret_cast<uintptr_t>(__builtin_thread_pointer()));
  size_t Below =
      arch::ThreadRoom::Below + (arch::VariablesAreAbove ? 0 : Variables);
  size_t Above =
      arch::ThreadRoom::Above + (arch::VariablesAreAbove ? Variables : 0);
  if (!Memory) {
    MemoryBytes = pageBytes() + StackBytes + Below + Above;
    Memory = static_cast<char *>(sys::mapPages(MemoryBytes));
    if (!Memory)
      return false;
    // A page without access rights stops a stack that grows too far.
    sys::call(SYS_mprotect, sys::asLong(Memory), pageBytes(), PROT_NONE);
  } else {
    // Variables that another thread of this kind had before the fork.
    sys::discardPages(Memory + pageBytes(), MemoryBytes - pageBytes());
  }
  char *Stack = Memory + pageBytes() + StackBytes;
  char *Block = Stack + Below;
  arch::initializeThreadBlock(Block);
  const uint64_t Old = sys::setBlockedSignals(~uint64_t(0));
  int Flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
              CLONE_SYSVSEM | CLONE_SETTLS | CLONE_CHILD_CLEARTID;
  FirstMs = now() + 1;
  list();
  GoesOn.store(true);
  Sleep.begin();
  // The kernel tells if a filter of system calls kills this thread alone.
  int Result = clone(run, Stack, Flags, this, nullptr, Block, Sleep.presence());
  sys::setBlockedSignals(Old);
  if (Result < 0) {
    GoesOn.store(false);
    Sleep.end();
  }
  return Result > 0;
}
