//===- thermocline/Interrupts.h - Waiting until interrupted -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_INTERRUPTS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_INTERRUPTS_H

#include <csignal>
#include <optional>

namespace thermocline::front {

/// While it lives, SIGINT and SIGTERM end waiting, and not this process.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;

  enum class Why { Interrupted, Ready, TimeIsOver };
  /// Waits for one of the signals, until \p File can be read or is at its end,
  /// or for \p Seconds, if given. Of several reasons it gives the first. Once
  /// interrupted, it always is, until that is forgotten.
  Why wait(int File, std::optional<double> Seconds) const;
  /// Lets it wait for other signals than those that have come.
  void forget() const;

private:
  sigset_t Before;
  int Signals;
};

} // namespace thermocline::front

#endif
