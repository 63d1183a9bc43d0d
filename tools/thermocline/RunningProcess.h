//===- thermocline/RunningProcess.h - What runs already ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process that was started in standby, which is asked for a raw profile
// (Format/Live/StandbyProtocol.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_RUNNINGPROCESS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_RUNNINGPROCESS_H

#include "Interrupts.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <sys/types.h>

namespace thermocline::front {

class RunningProcess {
public:
  /// The process \p Id. The error says that there is none, or that it is not
  /// this user's.
  static llvm::Expected<RunningProcess> find(pid_t Id);
  RunningProcess(RunningProcess &&Other);
  ~RunningProcess();
  /// The path of its program.
  const std::string &program() const { return Program; }

  struct Recorded {
    double Seconds = 0;
    bool IsInterrupted = false;
  };
  /// Records one of \p SampleInterval allocations into the file \p Path, which
  /// is made. Looks at them take up to \p TouchCost thousandths of processor
  /// time. Ends after \p Seconds, if given, with the process, or when \p
  /// Signals do.
  llvm::Expected<Recorded> record(const std::string &Path,
                                  unsigned SampleInterval, unsigned TouchCost,
                                  std::optional<double> Seconds,
                                  const Interrupts &Signals) const;
  /// Lets \p Seconds pass. Why it is back: Ready means that the process has
  /// ended.
  Interrupts::Why wait(double Seconds, const Interrupts &Signals) const {
    return Signals.wait(Handle, Seconds);
  }

private:
  explicit RunningProcess(pid_t Id);
  llvm::Expected<int> connect() const;
  bool answers(int Socket, const Interrupts &Signals) const;
  bool hasEnded() const;
  llvm::Error error(const llvm::Twine &Text) const;

  pid_t Id;
  /// Can be read when the process has ended.
  int Handle;
  std::string Program;
};

} // namespace thermocline::front

#endif
