//===- profile/lifecycle/SignalNames.cpp - Signals by name ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignalNames.h"
#include "platform/Text.h"
#include <signal.h>

using namespace thermocline::runtime;

namespace {
struct Named {
  const char *Name;
  int Number;
};
} // namespace

static constexpr Named Names[] = {
    {"HUP", SIGHUP},     {"INT", SIGINT},   {"QUIT", SIGQUIT},
    {"USR1", SIGUSR1},   {"USR2", SIGUSR2}, {"PIPE", SIGPIPE},
    {"ALRM", SIGALRM},   {"TERM", SIGTERM}, {"CHLD", SIGCHLD},
    {"CONT", SIGCONT},   {"TSTP", SIGTSTP}, {"TTIN", SIGTTIN},
    {"TTOU", SIGTTOU},   {"URG", SIGURG},   {"XCPU", SIGXCPU},
    {"XFSZ", SIGXFSZ},   {"PROF", SIGPROF}, {"VTALRM", SIGVTALRM},
    {"WINCH", SIGWINCH}, {"IO", SIGIO},     {"PWR", SIGPWR},
};

static bool canBeAsked(int Number) {
  for (const Named &N : Names)
    if (N.Number == Number)
      return true;
  // Below are two that libc keeps for itself.
  return Number >= SIGRTMIN && Number <= SIGRTMAX;
}

int thermocline::runtime::signalNumber(const char *Text, size_t Size) {
  int Number = 0;
  for (size_t I = 0; I != Size && I != 3; ++I)
    Number =
        Text[I] >= '0' && Text[I] <= '9' ? Number * 10 + (Text[I] - '0') : 1000;
  if (Size && Size < 3 && Number < 1000)
    return canBeAsked(Number) ? Number : 0;
  if (Size > 3 && textEquals(Text, 3, "SIG")) {
    Text += 3;
    Size -= 3;
  }
  for (const Named &N : Names)
    if (textEquals(Text, Size, N.Name))
      return N.Number;
  return 0;
}
