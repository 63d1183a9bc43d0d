//===- profile/process/BackgroundThread.cpp - The runtime's own thread ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackgroundThread.h"
#include "platform/Files.h"
#include "platform/HiddenThread.h"
#include "platform/ProgramThreads.h"
#include "platform/System.h"
#include "platform/Text.h"
#include "platform/Thread.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

static uint64_t now() { return sys::nanoseconds() / 1000000; }

static constexpr size_t MinStackBytes = 256 * 1024;

int BackgroundThread::createOnStack(size_t Bytes) {
  if (StackBytes != Bytes) {
    Stack = sys::mapPages(Bytes);
    StackBytes = Bytes;
    // A guard page, so that an overflow of the stack is noticed.
    if (Stack)
      sys::call(SYS_mprotect, reinterpret_cast<long>(Stack), pageBytes(),
                PROT_NONE);
  }
  pthread_attr_t Attributes;
  pthread_attr_init(&Attributes);
  int Error = Stack ? pthread_attr_setstack(&Attributes, Stack, Bytes) : ENOMEM;
  if (!Error)
    Error = pthread_create(&Thread, &Attributes, run, this);
  pthread_attr_destroy(&Attributes);
  if (Error && Stack) {
    sys::unmapPages(Stack, Bytes);
    Stack = nullptr;
    StackBytes = 0;
  }
  return Error;
}

bool BackgroundThread::create(bool OwnDescriptors) {
  WithOwnDescriptors = OwnDescriptors;
  // libc's own function leaves out the signals that it needs itself.
  sigset_t All, Old;
  sigfillset(&All);
  pthread_sigmask(SIG_SETMASK, &All, &Old);
  // The stack has the program's thread-local variables, too.
  constexpr size_t MaxStackBytes = size_t(1) << 30;
  size_t Bytes = StackBytes ? StackBytes : MinStackBytes;
  int Error;
  FirstMs = now() + 1;
  Sleep.begin();
  while ((Error = createOnStack(Bytes)) == EINVAL && Bytes < MaxStackBytes)
    Bytes *= 2;
  pthread_sigmask(SIG_SETMASK, &Old, nullptr);
  if (Error)
    Sleep.end();
  return Running = !Error;
}

bool BackgroundThread::start(Worker W) {
  Work = W;
  return pthread_key_create(&MainThreadKey, endOfMainThread) == 0 &&
         createBesideMainThread();
}

/// To be told if the main thread ends before the program does, it needs the
/// key.
bool BackgroundThread::createBesideMainThread() {
  bool IsMain = sys::threadId() == sys::processId() &&
                pthread_setspecific(MainThreadKey, this) == 0;
  return create(/*OwnDescriptors=*/IsMain);
}

void BackgroundThread::request(Request R) {
  uint32_t Before = Wanted.load();
  while (!Wanted.compareExchange(Before, Before | R)) {
  }
  Sleep.wake();
}

void BackgroundThread::restartInChild() {
  Wanted.store(0);
  if (Running)
    createBesideMainThread();
}

void BackgroundThread::endOfMainThread(void *Argument) {
  auto *This = static_cast<BackgroundThread *>(Argument);
  InsideRuntime Inside;
  if (!This->Running || !This->WithOwnDescriptors)
    return;
  This->request(Stop);
  pthread_join(This->Thread, nullptr);
  This->create(/*OwnDescriptors=*/false);
}

void *BackgroundThread::run(void *Argument) {
  auto *This = static_cast<BackgroundThread *>(Argument);
  InsideRuntime::enter();
  if (This->WithOwnDescriptors && !sys::separateDescriptors())
    This->WithOwnDescriptors = false;
  This->loop();
  This->Sleep.end();
  return nullptr;
}

void BackgroundThread::loop() {
  // So short that the end of a program is not delayed noticeably.
  constexpr uint64_t LongestSleep = 20;
  uint64_t Next = FirstMs;
  ProgramThreads Program;
  for (;;) {
    const uint32_t TimesWoken = Sleep.timesWoken();
    uint32_t Requests = Wanted.exchange(0);
    if (Requests & Stop) {
      if (uint32_t Others = Requests & ~uint32_t(Stop))
        request(static_cast<Request>(Others));
      return;
    }
    uint64_t Now = now();
    if (Requests || Now >= Next)
      Next = now() + Work(Requests);
    if (hasToEnd(Program))
      return;
    Now = now();
    Sleep.sleep(TimesWoken, Next > Now ? Next - Now : 0, LongestSleep);
  }
}

/// Whether the program has ended. One that cannot be told so would never end:
/// if this thread has its descriptors, the main thread is gone or may go, and
/// then the program is taken for one that has ended.
bool BackgroundThread::hasToEnd(ProgramThreads &Program) const {
  const ProgramThreads::Answer HasEnded =
      Program.haveEnded(1 + HiddenThread::count());
  if (HasEnded != ProgramThreads::Unknown || WithOwnDescriptors)
    return HasEnded == ProgramThreads::Yes;
  if (sys::exists("/proc/self/stat"))
    return false;
  Message()
      << "without /proc the end of the last thread cannot be seen: from now on "
         "profiles are not written continuously, nor by signals\n";
  return true;
}
