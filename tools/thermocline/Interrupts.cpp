//===- thermocline/Interrupts.cpp - Waiting until interrupted -------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interrupts.h"
#include <algorithm>
#include <chrono>
#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

using namespace thermocline::front;

Interrupts::Interrupts() {
  sigset_t Each;
  sigemptyset(&Each);
  sigaddset(&Each, SIGINT);
  sigaddset(&Each, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &Each, &Before);
  Signals = ::signalfd(-1, &Each, SFD_CLOEXEC | SFD_NONBLOCK);
}

Interrupts::~Interrupts() {
  // What came was meant for what this waited for.
  forget();
  ::close(Signals);
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

void Interrupts::forget() const {
  signalfd_siginfo Pending;
  while (::read(Signals, &Pending, sizeof(Pending)) > 0)
    ;
}

Interrupts::Why Interrupts::wait(int File,
                                 std::optional<double> Seconds) const {
  using Clock = std::chrono::steady_clock;
  const auto Begin = Clock::now();
  for (;;) {
    int Timeout = -1;
    if (Seconds) {
      const double Left =
          *Seconds -
          std::chrono::duration<double>(Clock::now() - Begin).count();
      // More would not fit.
      constexpr double Longest = 1e6;
      Timeout =
          Left > 0 ? static_cast<int>(std::min(Left, Longest) * 1000) + 1 : 0;
    }
    pollfd Each[] = {{Signals, POLLIN, 0}, {File, POLLIN, 0}};
    const int Found = ::poll(Each, 2, Timeout);
    if (Found > 0)
      return Each[0].revents ? Why::Interrupted : Why::Ready;
    if (Found == 0 && Timeout == 0)
      return Why::TimeIsOver;
  }
}
