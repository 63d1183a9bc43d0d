//===- thermo-lto/Commands.h - The subcommands ---------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The subcommands that main calls, each with its options as a plain struct.
// Each returns the exit status.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_COMMANDS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_COMMANDS_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::tools {

struct RunCommand {
  std::vector<std::string> Inputs;
  std::string Output;
  /// "FILE,SYMBOL,FLAGS" with flags out of p, l, x, r.
  std::vector<std::string> Resolutions;
  char OptLevel = '2';
  char CodeGenOptLevel = '2';
  std::string CacheDir;
  std::string OptPipeline;
  std::string AAPipeline;
  std::string OverrideTriple;
  std::string DefaultTriple;
  std::string ThinLTOThreads;
  std::string StatsFile;
  std::string RemarksFile;
  std::string RemarksFilter;
  std::string RemarksFormat;
  bool RemarksWithHotness = false;
  /// None for the threshold that the profile summary gives.
  std::optional<uint64_t> RemarksHotnessThreshold = 0;
  /// Files that linkers save, with inputs and resolutions.
  std::vector<std::string> ResolutionFiles;
  std::string SampleProfile;
  /// The profile of context-sensitive PGO to use, or to write.
  std::string CSProfile;
  bool CSInstrument = false;
  /// "default", "thin" or "full".
  std::string UnifiedLTO = "default";
  bool AllVtablesHaveTypeInfos = false;
  bool ValidateAllVtablesHaveTypeInfos = false;
  /// Starts the backends; empty to compile here.
  std::string Distributor;
  std::vector<std::string> DistributorArguments;
  std::string RemoteCompiler;
  std::vector<std::string> RemoteCompilerPrependArguments;
  std::vector<std::string> RemoteCompilerArguments;
  bool TimeTrace = false;
  unsigned TimeTraceGranularity = 500;
  std::string TimeTraceFile;
  std::vector<std::string> PassPlugins;
  bool SaveTemps = false;
  std::vector<std::string> SelectSaveTemps;
  bool DistributedIndexes = false;
  bool EmitIndexes = false;
  bool EmitImports = false;
  bool DisableVerify = false;
  bool Freestanding = false;
  bool HasWholeProgramVisibility = false;
  bool DebugPassManager = false;
  /// The command line as it was given, with response files by name.
  std::vector<const char *> CommandLine;
};
/// Links bitcode modules with given symbol resolutions.
llvm::Expected<int> run(const RunCommand &Command);

/// Options of the subcommands that only look at a link.
struct ViewOptions {
  /// Bitcode modules, indexes with decisions, or object files.
  std::vector<std::string> Inputs;
  /// Indexed profile for the names of frames; may be empty.
  std::string Profile;
  std::string Output;
  /// "text", "json", "html"; empty for the output file's extension.
  std::string Format;
  /// The command line as it was given, with response files by name.
  std::vector<const char *> CommandLine;
};

struct AuditCommand {
  ViewOptions View;
  unsigned MaxContexts = 20;
  bool ListAll = false;
};
/// Prints what decisions do to every context. The status is 1 if a context
/// profiled not-cold is hinted cold.
llvm::Expected<int> run(const AuditCommand &Command);

struct ReportCommand {
  ViewOptions View;
  /// What runs of the program wrote (THERMOCLINE_ALLOC_STATS).
  std::vector<std::string> Measured;
  /// "19.0MiB,8.3MiB": pages that were touched without and with hints; may be
  /// empty.
  std::string Pages;
  /// See report::parseSourceLinks.
  std::vector<std::string> SourceUrls = {};
};
/// Writes the page of a link.
llvm::Expected<int> run(const ReportCommand &Command);

struct DecisionsCommand {
  ViewOptions View;
};
/// Lists decisions, or what is left of them in object files.
llvm::Expected<int> run(const DecisionsCommand &Command);

struct ExplainCommand {
  /// The first of its inputs says what to explain.
  ViewOptions View;
};
/// Says in words what was decided of a part of the link, and why.
llvm::Expected<int> run(ExplainCommand Command);

struct DotCommand {
  ViewOptions View;
  /// What to draw, or empty for everything that is hinted; and how much at
  /// most.
  std::string Around;
  unsigned MaxNodes = 500;
};
/// Draws decisions.
llvm::Expected<int> run(const DotCommand &Command);

} // namespace thermocline::tools

#endif
