//===- profile/Runtime.cpp - The runtime's one state object ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime starts and ends with the program.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "CallStack.h"
#include "LibcFunctions.h"
#include "RawProfile.h"
#include "Shadow.h"
#include "System.h"
#include "Thread.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

// What the compiler and the program may say; the definitions here hold if they
// do not.
extern "C" {
__attribute__((
    weak,
    visibility("default"))) extern const char __memprof_profile_filename[] = "";
__attribute__((
    weak,
    visibility("default"))) extern const char __memprof_default_options_str[] =
    "";
__attribute__((
    weak, visibility("default"))) extern const bool __memprof_histogram = false;
__attribute__((weak)) const char *__memprof_default_options();
}

constinit Runtime Runtime::Instance;

//===-- Start -------------------------------------------------------------===//

/// The environment as the kernel gave it: the first allocation may come before
/// libc knows of it. Calls \p Use with the value of MEMPROF_OPTIONS, if set.
template <typename User> static void withEnvironmentOptions(User Use) {
  constexpr char Name[] = "MEMPROF_OPTIONS=";
  constexpr size_t NameSize = sizeof(Name) - 1;
  size_t Size, MappedSize;
  char *Environment = sys::readFile("/proc/self/environ", Size, MappedSize);
  if (!Environment)
    return;
  for (size_t At = 0; At < Size; At += textLength(Environment + At) + 1) {
    if (textLength(Environment + At) < NameSize)
      continue;
    size_t Same = 0;
    while (Same != NameSize && Environment[At + Same] == Name[Same])
      ++Same;
    if (Same == NameSize) {
      Use(Environment + At + NameSize);
      break;
    }
  }
  sys::unmapPages(Environment, MappedSize);
}

void Runtime::readOptions() {
  TextWriter Errors(2);
  TheOptions.parse(__memprof_default_options_str, "compiled-in options",
                   Errors);
  if (__memprof_default_options)
    if (const char *Defaults = __memprof_default_options())
      TheOptions.parse(Defaults, "__memprof_default_options", Errors);
  withEnvironmentOptions([&](const char *Value) {
    TheOptions.parse(Value, "MEMPROF_OPTIONS", Errors);
  });
  Allocated.Use.MaxCalls = TheOptions.MallocContextSize;
  Allocated.Use.CountLikeLlvm = TheOptions.CountLikeLlvm;
}

void Runtime::setUpMemory() {
  Guard G(Starting);
  if (HasMemory.load())
    return;
  if (!shadow::initialize() || !TheHeap.initialize() ||
      !TheContexts.initialize({}) || !Caches.initialize(&TheHeap, &TheContexts))
    sys::fatal("cannot reserve the address space that profiling needs "
               "(19 TiB, of which little is used): is it limited by "
               "ulimit -v or vm.overcommit_memory=2?");
  initializeCallStacks();
  Allocated.initialize(&TheHeap, &TheContexts, &Caches);
  readOptions();
  HasMemory.store(true);
}

void Runtime::setLogPath() {
  ProcessId = sys::processId();
  const char *Path = TheOptions.LogPath.text();
  if (TheOptions.LogPath.empty())
    Path = __memprof_profile_filename;
  if (!*Path)
    Path = "memprof.profraw";
  File.setPath(Path, ProcessId);
}

void Runtime::setUpProcess() {
  {
    Guard G(Starting);
    if (HasProcess.load())
      return;
    HasProcess.store(true);
  }
  InsideRuntime Inside;
  sys::useLibc();
  libc().resolve();
  Caches.watchThreads([](void *Cache) {
    Instance.Caches.threadEnds(*static_cast<ThreadCache *>(Cache));
  });
  setLogPath();
  if (__memprof_histogram)
    TextWriter(2) << "Thermocline: this program was compiled with "
                     "-memprof-histogram, whose counters this runtime cannot "
                     "read; no profile will be written\n";
  // The first exit handler to be registered is the last to run.
  atexit([] { Instance.dumpAtEnd(); });
  at_quick_exit([] { Instance.dumpAtEnd(); });
  pthread_atfork([] { Instance.lockAll(); }, [] { Instance.unlockAll(); },
                 [] { Instance.continueInChild(); });
  if (TheOptions.DumpAtExit && TheOptions.DumpOnSignal)
    installSignalHandlers();
}

//===-- Signals -----------------------------------------------------------===//

void Runtime::handleFatalSignal(int Signal) {
  // A second signal, or a fault in here, ends the program at once.
  static Atomic<bool> Entered;
  if (!Entered.exchange(true)) {
    ++thisThread().Inside;
    if (sys::processId() == Instance.ProcessId)
      Instance.dump(/*InSignal=*/true);
  }
  // The action is the default again (SA_RESETHAND).
  sys::call(SYS_tgkill, sys::processId(), sys::threadId(), Signal);
}

void Runtime::installSignalHandlers() {
  // A stack of its own, so that an overflow of the main thread's is reported.
  constexpr size_t StackBytes = 64 * 1024;
  stack_t Present = {};
  if (sigaltstack(nullptr, &Present) == 0 && (Present.ss_flags & SS_DISABLE)) {
    stack_t Alternate = {};
    Alternate.ss_sp = sys::mapPages(StackBytes);
    Alternate.ss_size = StackBytes;
    if (Alternate.ss_sp)
      sigaltstack(&Alternate, nullptr);
  }
  constexpr int Fatal[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP,
                           SIGABRT, SIGBUS,  SIGFPE,  SIGSEGV, SIGPIPE,
                           SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ, SIGSYS};
  for (int Signal : Fatal) {
    struct sigaction Old = {}, New = {};
    if (sigaction(Signal, nullptr, &Old) != 0 || (Old.sa_flags & SA_SIGINFO) ||
        Old.sa_handler != SIG_DFL)
      continue;
    New.sa_handler = handleFatalSignal;
    New.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    sigaction(Signal, &New, nullptr);
  }
}

//===-- Fork --------------------------------------------------------------===//

void Runtime::lockAll() {
  // In the order in which they are taken elsewhere.
  Dumping.lock();
  Caches.lockAll();
  TheContexts.lockAll();
  TheHeap.lockAll();
}

void Runtime::unlockAll() {
  TheHeap.unlockAll();
  TheContexts.unlockAll();
  Caches.unlockAll();
  Dumping.unlock();
}

void Runtime::continueInChild() {
  TheHeap.unlockAll();
  Caches.inheritAll();
  TheContexts.unlockAll();
  Caches.unlockAll();
  Dumping.unlock();
  // What ended before belongs to the parent's profile; what lives may be used
  // by either.
  TheContexts.clearMeasures();
  setLogPath();
}

//===-- Profile -----------------------------------------------------------===//

bool Runtime::dump(bool InSignal) {
  if (!HasProcess.load() || __memprof_histogram)
    return false;
  InsideRuntime Inside;
  bool Held = true;
  if (InSignal)
    Held = Dumping.lockOrGiveUp();
  else
    Dumping.lock();
  bool Done = false;
  // Who cannot get this lock may have been interrupted in the midst of a dump:
  // its file would be the same.
  if (Held) {
    Caches.flushMeasures(InSignal);
    Snapshot S(TheContexts, InSignal);
    if (S.isValid())
      Allocated.visitLive(
          [&](const LiveAllocation &A) {
            S.add(A.Context, measuresOf(A.Life));
          },
          InSignal);
    const FixedString &Path = TheOptions.LogPath;
    int Stream = textEquals(Path.text(), Path.size(), "stderr")   ? 2
                 : textEquals(Path.text(), Path.size(), "stdout") ? 1
                                                                  : 0;
    auto Write = [&](FileWriter &Out) {
      if (!TheOptions.PrintText) {
        writeRawProfile(S, Out);
        return;
      }
      TextWriter Text(Out.descriptor());
      writeTextProfile(S, TheOptions.PrintTerse, Text);
      if (!Text.flush())
        Out.fail();
    };
    if (!S.isValid()) {
      TextWriter(2) << "Thermocline: no memory to write the profile\n";
    } else if (Stream) {
      FileWriter Out(Stream);
      Write(Out);
      Done = Out.flush();
    } else {
      Done = File.replace(Write);
      if (Done && TheOptions.Verbose)
        TextWriter(2) << "Thermocline: profile written to "
                      << File.writtenPath().text() << "\n";
    }
    if (TheContexts.lost())
      TextWriter(2) << "Thermocline: the table of contexts is full; "
                    << TheContexts.lost()
                    << " allocations are not in the profile\n";
    Dumping.unlock();
  }
  return Done;
}

void Runtime::dumpAtEnd() {
  if (TheOptions.DumpAtExit && sys::processId() == ProcessId)
    dump();
}

void Runtime::reset() {
  Guard G(Dumping);
  Caches.forgetMeasures();
  TheContexts.clearMeasures();
  File.startNew();
}
