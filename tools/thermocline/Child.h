//===- thermocline/Child.h - Commands that are run --------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command as a shell takes it, and the process that runs it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_CHILD_H
#define THERMOCLINE_TOOLS_THERMOCLINE_CHILD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <sys/resource.h>
#include <sys/types.h>
#include <utility>
#include <vector>

namespace thermocline::front {

struct ShellCommand {
  /// The program, by a path or by a name to be looked for in PATH, and its
  /// arguments.
  std::vector<std::string> Words;
  /// Variables that are set beside those of this process.
  std::vector<std::pair<std::string, std::string>> Environment;
  /// Files for the standard streams; empty for those of this process.
  std::string Input, Output, Errors;
  /// Whether standard output goes where standard error goes.
  bool OutToError = false;

  /// The line to paste into a shell. \p Last: a word of it as it is, after the
  /// others.
  std::string text(llvm::StringRef Last = "") const;
};

/// \p Word as a shell takes it for one word.
std::string shellWord(llvm::StringRef Word);

/// How a program ended.
struct Ending {
  /// The exit status, if no signal ended it.
  int Code = 0;
  /// The signal that ended it, or 0.
  int Signal = 0;

  bool isSuccess() const { return Code == 0 && Signal == 0; }
  bool operator==(const Ending &) const = default;
  /// "ended with exit status 3", "was ended by signal 11 (Segmentation fault)".
  std::string text() const;
};
Ending endingOf(int WaitStatus);

/// What the kernel says of a process that has ended.
struct EndedRun {
  Ending How;
  double WallSeconds = 0;
  /// Processor time of it and of the children that it waited for.
  double ProcessorSeconds = 0;
};

class Child {
public:
  /// Starts \p Command. With \p Traced, this process may look at it when it
  /// runs its program, and when it ends (see Memory.h). The error names the
  /// program or the file that cannot be opened.
  static llvm::Expected<Child> start(const ShellCommand &Command,
                                     bool Traced = false);
  pid_t id() const { return Id; }
  /// Waits for its end.
  EndedRun wait() const;
  /// To be called by whoever waits for its end in another way: signals are no
  /// longer passed on to it.
  void forget() const;
  /// The seconds since it was started.
  double wallSeconds() const;

private:
  pid_t Id = -1;
  double Started = 0;
};

/// Starts a command and waits for its end. After \p Seconds, if given, sends it
/// SIGTERM.
llvm::Expected<EndedRun> run(const ShellCommand &Command,
                             std::optional<double> Seconds = std::nullopt);

/// While it lives, what a terminal sends to interrupt the program leaves this
/// process alone, and what others send to this process reaches the program. One
/// can live at a time.
class SignalRelay {
public:
  SignalRelay();
  ~SignalRelay();
  SignalRelay(const SignalRelay &) = delete;

  /// The last of these signals that has come since it was made, or since
  /// forget(); 0 if none has.
  int last() const;
  /// To be called when a program has ended that such signals were meant for.
  void forget();
};

} // namespace thermocline::front

#endif
