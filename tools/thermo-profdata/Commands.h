//===- thermo-profdata/Commands.h - The subcommands -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The subcommands that main calls, each with its options as a plain struct.
// Errors name the file. Nothing is written to an output unless the command
// succeeds.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_COMMANDS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_COMMANDS_H

#include "thermocline/Placement/Placement.h"
#include "thermocline/Profile/Classification.h"
#include "thermocline/Profile/Indexed/Merger.h"
#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Support/NamedAllocator.h"
#include "thermocline/Support/Tools/Table.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace thermocline::profdata {

/// The tool: \returns its exit status, once the error is printed if there is
/// one.
int runTool(int ArgumentCount, char **ArgumentValues);

struct MergeCommand {
  std::vector<std::string> Inputs;
  /// How often each of them counts.
  std::vector<uint64_t> Weights;
  /// The file that named some of them, or nothing.
  std::string InputList = {};
  std::string Output;
  profile::MergeOptions Options;
  profile::ColdThresholds Thresholds;
  /// The command that the inputs are of, as a shell takes it; empty if it is
  /// not known.
  std::string Recorded = {};
  bool Quiet = false;
  /// Whether a damaged input is an error. Otherwise it is left out, unless no
  /// other is there.
  bool FailsOnAny = false;
  /// Print the inputs and their weights, and do nothing else.
  bool ListInputs = false;
  /// Whether nobody gave the seed of random hotness, so that it must be told.
  bool IsNewSeed = false;
};
llvm::Error runMerge(const MergeCommand &Command);

/// What all commands take that look at profiles.
struct SharedSettings {
  std::string Output;
  /// The program and its own libraries, for names; may be none.
  profile::BinaryOptions Binaries;
  profile::ColdThresholds Thresholds;
  TableFormat Format = TableFormat::Text;
};

/// What commands on one profile take, indexed or raw.
struct ProfileSettings : SharedSettings {
  std::string Input;
  /// Other libraries, for names in raw profiles.
  std::vector<std::string> Libraries;
  /// Only contexts with a function of which this regular expression matches a
  /// part of the name; empty for all.
  std::string Function = {};
  /// Only contexts that allocate a type of which this regular expression
  /// matches a part of the name; empty for all.
  std::string Type = {};
  bool ColdOnly = false;
};

/// What contexts are summed up by: the function that allocates, the file that
/// this function is in, the allocation function that it calls, or the type that
/// is allocated.
enum class TotalsBy : uint8_t { Function, File, Allocation, Type };

struct ShowCommand : ProfileSettings {
  /// List only so many.
  std::optional<unsigned> Top;
  /// Totals instead of contexts.
  std::optional<TotalsBy> Grouping;
  /// Names with all template arguments, however long.
  bool FullNames = false;
};
llvm::Error runShow(const ShowCommand &Command);
/// Does the same for a raw memory profile.
llvm::Error runShowRaw(const ShowCommand &Command);

struct AdviseCommand : ProfileSettings {
  /// Raw profiles of the same runs, for what shared libraries allocated.
  std::vector<std::string> Runs;
  /// Whether it is said which of them are damaged. They are left out.
  bool WarnsOfDamaged = true;
  /// What is not given is as the profile was merged.
  std::optional<placement::Horizon> Goal;
  std::optional<std::string> Phase;
  std::optional<unsigned> Top;
};
/// What a profile says of hints: that they make the working set smaller, or do
/// not; or that it cannot say so, as too few objects were sampled, as the runs
/// have too few windows, as too much was allocated by code that was not
/// instrumented, or as all was.
enum class Verdict : uint8_t {
  Gain,
  Uncertain,
  NoGain,
  TooShort,
  TooLittleInstrumented,
  NothingInstrumented
};
/// What programs call it.
llvm::StringRef keyOf(Verdict Says);
/// Adds half of the 95 % intervals of \p Set for programs, unless it is exact.
void addIntervals(const placement::WorkingSet &Set,
                  std::vector<std::pair<std::string, Cell>> &Cells);
struct AdviceGiven {
  Verdict Says = Verdict::NothingInstrumented;
  /// What is said to people, in lines, and to programs.
  std::string Text;
  std::vector<Table> Tables;
};
llvm::Expected<AdviceGiven> advise(const AdviseCommand &Command);
/// Writes the text or the tables to the output.
llvm::Error runAdvise(const AdviseCommand &Command);

enum class ExportFormat : uint8_t {
  Json,
  Csv,
  Pprof,
  Dhat,
  Speedscope,
  Collapsed,
  Sarif
};

/// What is told of each stack, in the order of AllViewValues (Viewers.h).
enum class ViewValue : uint8_t {
  Bytes,
  Objects,
  Accesses,
  ColdBytes,
  LiveBytes,
  WorkingSet,
  LostBytes
};

struct ExportCommand : ProfileSettings {
  ExportFormat As = ExportFormat::Json;
  /// For collapsed stacks, which have one.
  ViewValue Value = ViewValue::Bytes;
  /// Only that many contexts, those with most bytes.
  std::optional<unsigned> Top;
  /// Reports of links of the profile, for what they lost; may be none.
  std::vector<std::string> Links = {};
};
llvm::Error runExport(const ExportCommand &Command);
/// Does the same for a raw memory profile.
llvm::Error runExportRaw(const ExportCommand &Command);

struct ReportCommand : ProfileSettings {
  /// What runs of the program wrote (THERMOCLINE_ALLOC_STATS).
  std::vector<std::string> Measured;
  /// "19.0MiB,8.3MiB": pages that were touched without and with hints; may be
  /// empty.
  std::string Pages;
  /// See report::parseSourceLinks.
  std::vector<std::string> SourceUrls = {};
};
/// Writes a page for a browser.
llvm::Error runReport(const ReportCommand &Command);

struct DiffCommand : SharedSettings {
  std::string Before;
  std::string After;
  /// A page for a browser, in place of what the format says.
  bool AsPage = false;
  std::optional<unsigned> Top;
  /// See ShowCommand.
  bool FullNames = false;
  /// Whether any difference is a failure.
  bool FailsOnAny = false;
  /// What the decisions of before must be worth for the profile after: percent
  /// of what can be gained.
  std::optional<double> MinWorth = {};
  /// Where to write what failed for a CI server; empty if nowhere.
  std::string JUnitFile = {};
  /// The source links of pages; see ReportCommand.
  std::vector<std::string> SourceUrls = {};
};
/// Sets \p HasFailed if a gate has.
llvm::Error runDiff(const DiffCommand &Command, bool &HasFailed);

/// The program must be given.
struct AuditCommand : SharedSettings {
  /// The profile that the program was built with.
  std::string Profile;
  /// Raw profiles of runs of the program.
  std::vector<std::string> Runs;
  std::optional<unsigned> Top;
  /// The allocation functions that the profile was merged with.
  std::vector<NamedAllocator> Allocators;
};
/// Sets \p IsSafe if nothing that was profiled not cold was hinted.
llvm::Error runAudit(const AuditCommand &Command, bool &IsSafe);

} // namespace thermocline::profdata

#endif
