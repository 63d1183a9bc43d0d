//===- profile/lifecycle/Signals.cpp - Signals that write profiles --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "Runtime.h"
#include "platform/LibcFunctions.h"
#include "platform/System.h"
#include <sys/syscall.h>

using namespace thermocline::runtime;

/// libc's sigaction() by a name that nobody else defines.
extern "C" int __sigaction(int Signal, const struct sigaction *New,
                           struct sigaction *Old) noexcept;

/// The sigaction() that comes after the runtime's: libc's, or that of another
/// library which stands before it.
static decltype(__sigaction) *ActionBelow = __sigaction;

void thermocline::runtime::findSignalFunctions() {
  resolveAs(ActionBelow, definitionBelow("sigaction"));
}

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
  // A second signal, or a fault in here, ends the program at once. A child of
  // vfork() has its own end, and this memory in common with its parent.
  static Atomic<int> EnteredBy;
  const int Process = sys::processId();
  if (EnteredBy.exchange(Process) != Process)
    Runtime::get().dumpInFatalSignal(leavesCore(Signal));
  // The action is the default again (SA_RESETHAND).
  sys::call(SYS_tgkill, Process, sys::threadId(), Signal);
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

//===-- Signals that ask for something ------------------------------------===//

static void handleRequest(int Signal) { Runtime::get().request(Signal); }

//===-- What is set, and what the program sees of it ----------------------===//

namespace {

/// A handler of the runtime's, as the kernel has it.
struct OwnAction {
  sighandler_t Handler;
  int Flags;
};

} // namespace

/// The signals that the runtime handles where the program wants the default
/// action, as a mask whose lowest bit is of signal 1. Set once.
static Atomic<uint64_t> HandledAtEnd, HandledAsRequests;
/// What the program sees of the default action of each.
static struct sigaction Defaults[NSIG];
/// The stack that the main thread's handlers have if it has no other.
static Atomic<char *> OwnStack;
static constexpr size_t OwnStackBytes = size_t(1) << 20;

static void setOwnStack(char *Stack) {
  stack_t Alternate = {};
  Alternate.ss_sp = Stack;
  Alternate.ss_size = OwnStackBytes;
  sys::call(SYS_sigaltstack, sys::asLong(&Alternate), 0);
}

/// \returns whether the runtime handles \p Signal, and how.
static bool findOwn(int Signal, OwnAction &Own) {
  if (Signal < 1 || Signal >= NSIG)
    return false;
  const uint64_t Bit = uint64_t(1) << (Signal - 1);
  if (HandledAsRequests.load() & Bit)
    Own = {handleRequest, SA_RESTART};
  else if (HandledAtEnd.load() & Bit)
    Own = {handleFatalSignal,
           static_cast<int>(SA_ONSTACK | SA_RESETHAND | SA_NODEFER)};
  else
    return false;
  return true;
}

/// Sets \p Own for \p Signal, whose action is the default.
static void takeOver(int Signal, const OwnAction &Own) {
  if (ActionBelow(Signal, nullptr, &Defaults[Signal]) != 0)
    return;
  struct sigaction New = {};
  New.sa_handler = Own.Handler;
  New.sa_flags = Own.Flags;
  ActionBelow(Signal, &New, nullptr);
}

int Runtime::changeAction(int Signal, const struct sigaction *New,
                          struct sigaction *Old) {
  if (Over)
    return Over->ChangeAction(Signal, New, Old);
  // They may be the same.
  const bool IsDefault = New && New->sa_handler == SIG_DFL;
  const int Result = ActionBelow(Signal, New, Old);
  OwnAction Own;
  if (Result != 0 || !findOwn(Signal, Own))
    return Result;
  if (Old && Old->sa_handler == Own.Handler)
    *Old = Defaults[Signal];
  if (IsDefault)
    takeOver(Signal, Own);
  return Result;
}

long Runtime::changeSignalStack(const stack_t *New, stack_t *Old) {
  if (Over)
    return Over->ChangeSignalStack(New, Old);
  const bool IsNone = New && (New->ss_flags & SS_DISABLE);
  const long Result =
      sys::call(SYS_sigaltstack, sys::asLong(New), sys::asLong(Old));
  char *Own = OwnStack.load();
  if (Result != 0 || !Own)
    return Result;
  if (Old && Old->ss_sp == Own) {
    *Old = {};
    Old->ss_flags = SS_DISABLE;
  }
  if (IsNone && sys::threadId() == sys::processId())
    setOwnStack(Own);
  return Result;
}

//===-- The start ---------------------------------------------------------===//

/// Gives handlers a stack of their own, so that an overflow of the main
/// thread's is reported. It is large, as handlers of the program's may run on
/// it as well.
static void installStack() {
  stack_t Present = {};
  if (sys::call(SYS_sigaltstack, 0, sys::asLong(&Present)) != 0 ||
      !(Present.ss_flags & SS_DISABLE))
    return;
  auto *Stack = static_cast<char *>(sys::mapPages(OwnStackBytes));
  if (!Stack)
    return;
  setOwnStack(Stack);
  OwnStack.store(Stack);
}

/// Installs handlers for those of \p Signals that have the default action, and
/// if \p Always for all.
static void install(Atomic<uint64_t> &Handled, uint64_t Signals, bool Always) {
  Handled.store(Signals);
  for (int Signal = 1; Signal != NSIG; ++Signal) {
    OwnAction Own;
    struct sigaction Old = {};
    // sigaction() says nothing of libc's own signals and of those that cannot
    // be handled.
    if (!(Signals >> (Signal - 1) & 1) || !findOwn(Signal, Own) ||
        ActionBelow(Signal, nullptr, &Old) != 0)
      continue;
    const bool IsDefault = Old.sa_handler == SIG_DFL;
    if (!IsDefault && Always) {
      const struct sigaction Default = {};
      ActionBelow(Signal, &Default, nullptr);
    }
    if (IsDefault || Always)
      takeOver(Signal, Own);
  }
}

void thermocline::runtime::installSignalHandlers(const Options &O) {
  auto BitOf = [](int Signal) {
    return Signal ? uint64_t(1) << (Signal - 1) : 0;
  };
  // One of them may be among the fatal ones.
  const uint64_t Requests = BitOf(O.DumpSignal) | BitOf(O.ResetSignal);
  install(HandledAsRequests, Requests, /*Always=*/true);
  if (!O.DumpAtExit || !O.DumpOnSignal)
    return;
  uint64_t Ends = 0;
  for (int Signal = 1; Signal != NSIG; ++Signal)
    if (endsTheProgram(Signal))
      Ends |= BitOf(Signal);
  installStack();
  install(HandledAtEnd, Ends & ~Requests, /*Always=*/false);
}
