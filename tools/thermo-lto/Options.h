//===- thermo-lto/Options.h - The tool's command line --------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `run` takes the options of `llvm-lto2 run`, and like it all of LLVM's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_OPTIONS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::tools {

enum class Command { Run, Audit, Decisions, Explain, Dot };

struct RunOptions {
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
  /// None for what the profile summary says.
  std::optional<uint64_t> RemarksHotnessThreshold = 0;
  /// Files that linkers save, with inputs and resolutions.
  std::vector<std::string> ResolutionFiles;
  std::string SampleProfile;
  /// Context sensitive PGO, to use and to make.
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
  /// As it was given, with response files by name.
  std::vector<const char *> CommandLine;
};

/// Of the subcommands that look at a link.
struct ViewOptions {
  /// Bitcode modules, indexes with decisions, or finished code. For explain,
  /// what to explain stands before them.
  std::vector<std::string> Inputs;
  /// Indexed profile for the names of frames; may be empty.
  std::string Profile;
  std::string Output;
  /// "text", "json", "html"; empty for the output file's extension.
  std::string Format;
  /// Of audit.
  unsigned MaxContexts = 20;
  bool ListAll = false;
  /// As it was given, with response files by name.
  std::vector<const char *> CommandLine;
  /// Of dot: what to draw, empty for all that is hinted; and how much at most.
  std::string Around;
  unsigned MaxNodes = 500;
};

/// Parses the command line. Prints help, version and errors itself and exits
/// then, as LLVM's tools do.
Command parseCommandLine(int argc, char **argv);
RunOptions runOptions();
ViewOptions viewOptions();

} // namespace thermocline::tools

#endif
