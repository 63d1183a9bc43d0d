//===- profile/lifecycle/Signals.cpp - Signals that write profiles --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "Runtime.h"
#include "platform/System.h"
#include <signal.h>
#include <sys/syscall.h>

using namespace thermocline::runtime;

//===-- Signals that end the program --------------------------------------===//

/// Whether the default action of \p Signal also writes a core file.
static bool leavesCore(int Signal) {
  switch (Signal) {
  case SIGQUIT:
  case SIGILL:
  case SIGTRAP:
  case SIGABRT:
  case SIGBUS:
  case SIGFPE:
  case SIGSEGV:
  case SIGXCPU:
  case SIGXFSZ:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

static void handleFatalSignal(int Signal) {
  // A second signal, or a fault in here, ends the program at once.
  static Atomic<bool> Entered;
  if (!Entered.exchange(true))
    Runtime::get().dumpInFatalSignal(leavesCore(Signal));
  // The action is the default again (SA_RESETHAND).
  sys::call(SYS_tgkill, sys::processId(), sys::threadId(), Signal);
}

/// Whether the default action of \p Signal is to end the program.
static bool endsTheProgram(int Signal) {
  switch (Signal) {
  case SIGKILL:
  case SIGCHLD:
  case SIGCONT:
  case SIGSTOP:
  case SIGTSTP:
  case SIGTTIN:
  case SIGTTOU:
  case SIGURG:
  case SIGWINCH:
    return false;
  default:
    return true;
  }
}

/// Whether the kernel sends \p Signal for what the thread itself does. Such a
/// signal ends a program that blocks it.
static bool isFault(int Signal) {
  switch (Signal) {
  case SIGILL:
  case SIGTRAP:
  case SIGBUS:
  case SIGFPE:
  case SIGSEGV:
  case SIGSYS:
    return true;
  default:
    return false;
  }
}

DelayedEnds::DelayedEnds() {
  uint64_t Ends = 0;
  for (int Signal = 1; Signal != NSIG; ++Signal) {
    // libc has the first ones of real time for itself, and waits for threads to
    // take them.
    const bool IsOfLibc = Signal >= __SIGRTMIN && Signal < SIGRTMIN;
    if (endsTheProgram(Signal) && !isFault(Signal) && !IsOfLibc)
      Ends |= uint64_t(1) << (Signal - 1);
  }
  OldMask = sys::blockSignals(Ends);
}

DelayedEnds::~DelayedEnds() { sys::setBlockedSignals(OldMask); }

static void installFatalHandlers() {
  // The handler has a stack of its own, so that an overflow of the main
  // thread's is reported.
  constexpr size_t StackBytes = 64 * 1024;
  stack_t Present = {};
  if (sigaltstack(nullptr, &Present) == 0 && (Present.ss_flags & SS_DISABLE)) {
    stack_t Alternate = {};
    Alternate.ss_sp = sys::mapPages(StackBytes);
    Alternate.ss_size = StackBytes;
    if (Alternate.ss_sp)
      sigaltstack(&Alternate, nullptr);
  }
  for (int Signal = 1; Signal != NSIG; ++Signal) {
    struct sigaction Old = {}, New = {};
    // sigaction() says nothing of libc's own signals and of those that cannot
    // be handled.
    if (!endsTheProgram(Signal) || sigaction(Signal, nullptr, &Old) != 0 ||
        (Old.sa_flags & SA_SIGINFO) || Old.sa_handler != SIG_DFL)
      continue;
    New.sa_handler = handleFatalSignal;
    New.sa_flags = static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    sigaction(Signal, &New, nullptr);
  }
}

//===-- Signals that ask for something ------------------------------------===//

static void handleRequest(int Signal) { Runtime::get().request(Signal); }

static void installRequestHandler(int Signal) {
  struct sigaction New = {};
  New.sa_handler = handleRequest;
  New.sa_flags = SA_RESTART;
  sigaction(Signal, &New, nullptr);
}

void thermocline::runtime::installSignalHandlers(const Options &O) {
  // These come first, as one of them may be among the fatal ones.
  if (O.DumpSignal)
    installRequestHandler(O.DumpSignal);
  if (O.ResetSignal)
    installRequestHandler(O.ResetSignal);
  if (O.DumpAtExit && O.DumpOnSignal)
    installFatalHandlers();
}
