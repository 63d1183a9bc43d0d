//===- thermo-profdata/thermo-profdata.cpp - Heap profiles as files -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermo-profdata merges, shows, exports and compares heap profiles. The
// library does the work; this file picks the command and prints the one error.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static void enterProgram(StringRef Path, StringRef Option,
                         ArrayRef<std::string> DebugDirectories,
                         FileRoles &Files) {
  if (Path.empty())
    return;
  Files.uses(Path, "the file of " + Option);
  for (const std::string &File : debugFilesOf(Path, DebugDirectories))
    Files.uses(File, "a debug file of " + Path);
  if (Files.writesOntoElf())
    for (const std::string &File : splitFilesOf(Path, DebugDirectories))
      Files.uses(File, "a debug file of " + Path);
}

/// The files that each command reads.
static void enterInputs(const MergeCommand &C, FileRoles &Files) {
  for (const std::string &Input : C.Inputs)
    Files.uses(Input);
  enterProgram(C.Options.Binary, "--binary", C.Options.DebugDirectories, Files);
}
template <class CommandT>
static void enterInputs(const CommandT &C, FileRoles &Files) {
  Files.uses(C.Input);
  enterProgram(C.Binary, "--binary", C.DebugDirectories, Files);
  for (const std::string &Library : C.Libraries)
    enterProgram(Library, "--library", C.DebugDirectories, Files);
}
static void enterInputs(const AdviseCommand &C, FileRoles &Files) {
  for (const std::string &Run : C.Runs)
    Files.uses(Run);
  enterInputs<ProfileSettings>(C, Files);
}
static void enterInputs(const DiffCommand &C, FileRoles &Files) {
  Files.uses(C.Before);
  Files.uses(C.After);
  enterProgram(C.Binary, "--binary", C.DebugDirectories, Files);
}
static void enterInputs(const AuditCommand &C, FileRoles &Files) {
  Files.uses(C.Profile);
  for (const std::string &Run : C.Runs)
    Files.uses(Run);
  enterProgram(C.Binary, "--binary", C.DebugDirectories, Files);
}

/// Warns of a file that is given twice, which is more often a mistake than
/// wanted.
static void warnIfTwice(ArrayRef<std::string> Inputs) {
  for (const std::string &Input : FileRoles::givenTwice(Inputs))
    WithColor::warning(errs(), "thermo-profdata")
        << Input << ": is given twice, and counts twice\n";
}

static Error run(const MergeCommand &C) {
  warnIfTwice(C.Inputs);
  return runMerge(C);
}
static Error run(const ShowCommand &C) { return runShow(C); }
static Error run(const ExportCommand &C) { return runExport(C); }
static Error run(const AdviseCommand &C) { return runAdvise(C); }
static Error run(const DiffCommand &C) { return runDiff(C); }
static Error run(const AuditCommand &C) {
  warnIfTwice(C.Runs);
  bool IsSafe = false;
  if (Error E = runAudit(C, IsSafe))
    return E;
  return IsSafe
             ? Error::success()
             : fileError(C.Binary, "memory profiled not cold was hinted cold");
}

int main(int ArgumentCount, char **ArgumentValues) {
  InitLLVM Init(ArgumentCount, ArgumentValues);
  static FatalErrors Fatal = {.Tool = "thermo-profdata"};
  Fatal.install();
  Expected<Command> Parsed = parseCommandLine(ArgumentCount, ArgumentValues);
  if (!Parsed)
    return reportFatal("thermo-profdata", Parsed.takeError());
  FileRoles Files;
  Files.usesResponseFiles(ArrayRef(ArgumentValues, ArgumentCount));
  if (Error E = std::visit(
          [&](const auto &C) {
            Files.writes(C.Output);
            if (Files.anyWritten())
              enterInputs(C, Files);
            Error Clash = Files.check();
            return Clash ? std::move(Clash) : run(C);
          },
          *Parsed))
    return reportFatal("thermo-profdata", std::move(E));
  return finishOutput("thermo-profdata", 0);
}
