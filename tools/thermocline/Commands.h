//===- thermocline/Commands.h - The subcommands -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The subcommands that main calls, each with its options as a plain struct.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_COMMANDS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_COMMANDS_H

#include "Child.h"
#include "thermocline/Support/Tools/Table.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::front {

/// Where record writes, and report reads, unless told otherwise.
inline constexpr char DefaultProfile[] = "thermocline.memprofdata";
inline constexpr char DefaultPage[] = "thermocline.html";

struct SharedOptions {
  /// Print the commands that are run.
  bool Verbose = false;
};

struct RecordCommand : SharedOptions {
  /// Print one JSON object instead of text for people.
  bool Json = false;
  /// The program and its arguments; none with ProcessId.
  std::vector<std::string> Program;
  /// A process that runs, instead of a program to be started; 0 if none.
  pid_t ProcessId = 0;
  std::string Output = DefaultProfile;
  /// Files and directories with binaries, beside those that are found.
  std::vector<std::string> Binaries;
  /// Keeps the raw profiles there; empty if they are to go.
  std::string RawDirectory;
  /// One of so many allocations is recorded.
  unsigned SampleInterval = 0;
  /// What looks at objects may cost, in thousandths of processor time; 0 for
  /// the default.
  unsigned TouchCost = 0;
  /// For programs that are not built for profiles: contexts alone, or also what
  /// is touched, by the page table.
  bool Preload = false;
  bool Live = false;
  /// End the program, or the recording of the process, after so many seconds.
  std::optional<double> ForSeconds;
  /// Record the process anew so often, from beginning to beginning.
  std::optional<double> EverySeconds;
  /// Leave the command line out of the profile.
  bool NoCommand = false;
  /// Options that thermo-profdata merge gets as they are.
  std::vector<std::string> MergeOptions;
};
/// \returns how the program ended; an error if there is no profile of it. Sets
/// \p How in either case once the program has ended.
llvm::Error runRecord(const RecordCommand &Command, std::optional<Ending> &How);

struct ReportCommand : SharedOptions {
  /// See RecordCommand.
  bool Json = false;
  /// Profiles, or files with decisions and at most one profile.
  std::vector<std::string> Inputs;
  /// Empty for the default.
  std::string Output;
  std::vector<std::string> Binaries;
  /// Options for the tool that makes the report.
  std::vector<std::string> More;
};
llvm::Error runReport(const ReportCommand &Command);

struct CompareCommand : SharedOptions {
  TableFormat Format = TableFormat::Text;
  std::string Before;
  std::string After;
  /// Arguments of both.
  std::vector<std::string> Arguments;
  /// The command line, if it is not the program with arguments: {} stands for
  /// the program.
  std::string Template;
  /// What the programs read from standard input.
  std::string Input = "/dev/null";
  unsigned Pairs = 10;
  unsigned MemoryPairs = 6;
  bool IgnoreOutput = false;
  /// The profile whose prediction is shown beside what was measured; empty if
  /// none is.
  std::string Profile;
  /// By how many per cent measures may grow, beyond doubt; any if it is not
  /// given.
  std::optional<double> FailOver;
  /// Where to write what has grown for a CI server; empty if nowhere.
  std::string JUnitFile;
};
/// Sets \p HasGrown if a measure has grown by more than it may.
llvm::Error runCompare(const CompareCommand &Command, bool &HasGrown);

} // namespace thermocline::front

#endif
