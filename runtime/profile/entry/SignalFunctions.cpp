//===- entry/SignalFunctions.cpp - What programs see of signals -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: many programs ask what becomes of a signal, and keep a handler that
// is there: interpreters leave Ctrl-C alone, and runtime libraries do not say
// that a stack overflowed. The runtime's handlers must not count as such.
//
// So these functions say that the default action is set where it is the
// runtime's handler that acts. And where a program sets the default action, the
// runtime's handler is set again: it lets the signal act as by default when the
// profile is written. In the same way the stack that the runtime's handlers run
// on does not count as one.
//
// What remains to be seen is SigCgt in /proc/self/status. Programs that make
// these system calls themselves see all, and what they set stays.
//
//===----------------------------------------------------------------------===//

#include "lifecycle/Runtime.h"
#include "platform/System.h"
#include <errno.h>
#include <signal.h>

using namespace thermocline::runtime;

/// What libc calls signal(); no other function does exactly the same. It calls
/// no function that others can define.
extern "C" sighandler_t bsd_signal(int Signal, sighandler_t New) noexcept;

static int change(int Signal, const struct sigaction *New,
                  struct sigaction *Old) {
  return Runtime::get().changeAction(Signal, New, Old);
}

THERMOCLINE_INTERFACE int sigaction(int Signal, const struct sigaction *New,
                                    struct sigaction *Old) noexcept {
  return change(Signal, New, Old);
}

THERMOCLINE_INTERFACE sighandler_t signal(int Signal,
                                          sighandler_t New) noexcept {
  struct sigaction Old, Set;
  if (change(Signal, nullptr, &Old) != 0 || bsd_signal(Signal, New) == SIG_ERR)
    return SIG_ERR;
  // What it has set, siginterrupt() had a say in.
  if (New == SIG_DFL && change(Signal, nullptr, &Set) == 0)
    change(Signal, &Set, nullptr);
  return Old.sa_handler;
}

THERMOCLINE_INTERFACE sighandler_t ssignal(int Signal,
                                           sighandler_t New) noexcept {
  return signal(Signal, New);
}

static sighandler_t changeHandler(int Signal, sighandler_t New, int Flags) {
  if (New == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction Set = {}, Old;
  Set.sa_handler = New;
  Set.sa_flags = Flags;
  return change(Signal, &Set, &Old) == 0 ? Old.sa_handler : SIG_ERR;
}

/// That of System V, whose handlers are called once.
THERMOCLINE_INTERFACE sighandler_t __sysv_signal(int Signal,
                                                 sighandler_t New) noexcept {
  constexpr int Interrupts = 0x20000000;
  return changeHandler(
      Signal, New, static_cast<int>(SA_RESETHAND | SA_NODEFER) | Interrupts);
}

THERMOCLINE_INTERFACE sighandler_t sysv_signal(int Signal,
                                               sighandler_t New) noexcept {
  return __sysv_signal(Signal, New);
}

THERMOCLINE_INTERFACE sighandler_t sigset(int Signal,
                                          sighandler_t New) noexcept {
  struct sigaction Old;
  if (change(Signal, nullptr, &Old) != 0)
    return SIG_ERR;
  const sighandler_t Hold = SIG_HOLD;
  const uint64_t Bit = uint64_t(1) << (Signal - 1);
  const uint64_t Before = sys::blockSignals(New == Hold ? Bit : 0);
  if (New != Hold) {
    if (changeHandler(Signal, New, 0) == SIG_ERR)
      return SIG_ERR;
    sys::setBlockedSignals(Before & ~Bit);
  }
  return Before & Bit ? Hold : Old.sa_handler;
}

THERMOCLINE_INTERFACE int sigaltstack(const stack_t *New,
                                      stack_t *Old) noexcept {
  const long Result = Runtime::get().changeSignalStack(New, Old);
  if (Result == 0)
    return 0;
  errno = static_cast<int>(-Result);
  return -1;
}
