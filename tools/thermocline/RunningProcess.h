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
  /// The path of its program.
  const std::string &program() const { return Program; }

  /// Records one of \p SampleInterval allocations into the file \p Path, which
  /// is made. Ends after \p Seconds, with the process, or by SIGINT or SIGTERM
  /// to this one. \returns the seconds that it took.
  llvm::Expected<double> record(const std::string &Path,
                                unsigned SampleInterval,
                                std::optional<double> Seconds) const;

private:
  RunningProcess(pid_t Id, std::string Program)
      : Id(Id), Program(std::move(Program)) {}
  llvm::Expected<int> connect() const;
  llvm::Error error(const llvm::Twine &Text) const;

  pid_t Id;
  std::string Program;
};

} // namespace thermocline::front

#endif
