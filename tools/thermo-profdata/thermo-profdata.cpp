//===- thermo-profdata/thermo-profdata.cpp - Heap profiles as files -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// thermo-profdata merges, shows, draws, exports and compares heap profiles. The
// library does the work; this file picks the command and prints the one error.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Options.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/Tools/Gates.h"
#include "thermocline/Support/Units.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::profdata;
using namespace thermocline::profile;

static void enterProgram(StringRef Path, const Twine &Role,
                         ArrayRef<std::string> DebugDirectories,
                         ProgramReader &Reader, FileRoles &Files) {
  Files.uses(Path, Role);
  if (!Files.writesOntoElf())
    return;
  for (const std::string &File : Reader.debugFilesOf(Path, DebugDirectories))
    Files.uses(File, "a debug file of " + Path);
  for (const std::string &File : Reader.splitFilesOf(Path, DebugDirectories))
    Files.uses(File, "a debug file of " + Path);
}

static void enterBinaries(const BinaryOptions &Given, StringRef Option,
                          FileRoles &Files) {
  ProgramReader Reader;
  for (const std::string &Path : Given.Binaries)
    if (!sys::fs::is_directory(Path))
      enterProgram(Path, "the file of " + Option, Given.DebugDirectories,
                   Reader, Files);
    else if (Files.writesOntoElf())
      for (const std::string &File : BinaryFiles::expand(Path))
        enterProgram(File, "in the directory of " + Option,
                     Given.DebugDirectories, Reader, Files);
}

/// The files that each command writes.
template <class CommandT>
static void enterOutputs(const CommandT &C, FileRoles &Files) {
  Files.writes(C.Output);
}
static void enterOutputs(const DiffCommand &C, FileRoles &Files) {
  Files.writes(C.Output);
  Files.writes(C.JUnitFile, "the file of --junit");
}

/// The files that each command reads.
static void enterInputs(const MergeCommand &C, FileRoles &Files) {
  if (!C.InputList.empty())
    Files.uses(C.InputList, "the file of --input-files");
  for (const std::string &Input : C.Inputs)
    Files.uses(Input);
  enterBinaries(C.Options.Binaries, "--binary", Files);
}
template <class CommandT>
static void enterInputs(const CommandT &C, FileRoles &Files) {
  Files.uses(C.Input);
  enterBinaries(C.Binaries, "--binary", Files);
  enterBinaries({C.Libraries, C.Binaries.DebugDirectories}, "--library", Files);
}
static void enterInputs(const AdviseCommand &C, FileRoles &Files) {
  for (const std::string &Run : C.Runs)
    Files.uses(Run);
  enterInputs<ProfileSettings>(C, Files);
}
static void enterInputs(const ReportCommand &C, FileRoles &Files) {
  for (const std::string &Run : C.Measured)
    Files.uses(Run, "the file of --measured");
  enterInputs<ProfileSettings>(C, Files);
}
static void enterInputs(const DiffCommand &C, FileRoles &Files) {
  Files.uses(C.Before);
  Files.uses(C.After);
  enterBinaries(C.Binaries, "--binary", Files);
}
static void enterInputs(const AuditCommand &C, FileRoles &Files) {
  Files.uses(C.Profile);
  for (const std::string &Run : C.Runs)
    Files.uses(Run);
  enterBinaries(C.Binaries, "--binary", Files);
}

/// Warns of files that are given twice, which is more often a mistake than
/// wanted.
static void warnIfTwice(ArrayRef<std::string> Inputs) {
  const auto Twice = FileRoles::givenTwice(Inputs);
  if (Twice.empty())
    return;
  auto &OS = WithColor::warning(errs(), "thermo-profdata");
  OS << Twice.front() << ": is given twice, and counts twice";
  if (Twice.size() > 1)
    OS << "; so " << (Twice.size() == 2 ? "is " : "are ")
       << formatCount(Twice.size() - 1, "other file");
  OS << '\n';
}

static Error run(const MergeCommand &C) {
  warnIfTwice(C.Inputs);
  return runMerge(C);
}
static Error run(const ShowCommand &C) { return runShow(C); }
static Error run(const ExportCommand &C) { return runExport(C); }
static Error run(const ReportCommand &C) { return runReport(C); }
static Error run(const AdviseCommand &C) { return runAdvise(C); }
static Error run(const AuditCommand &C) {
  warnIfTwice(C.Runs);
  bool IsSafe = false;
  if (Error E = runAudit(C, IsSafe))
    return E;
  return IsSafe ? Error::success()
                : fileError(C.Binaries.Binaries.front(),
                            "memory profiled not cold was hinted cold");
}

/// Sets \p Status to the exit status of a command that is no error.
template <class CommandT> static Error run(const CommandT &C, int &) {
  return run(C);
}
static Error run(const DiffCommand &C, int &Status) {
  bool HasFailed = false;
  Error E = runDiff(C, HasFailed);
  Status = HasFailed ? ExitOfGate : 0;
  return E;
}

int profdata::runTool(int ArgumentCount, char **ArgumentValues) {
  static FatalErrors Fatal = {.Tool = "thermo-profdata"};
  Fatal.install();
  Expected<Command> Parsed = parseCommandLine(ArgumentCount, ArgumentValues);
  if (!Parsed)
    return reportFatal("thermo-profdata", Parsed.takeError());
  int Status = 0;
  FileRoles Files;
  Files.usesResponseFiles(ArrayRef(ArgumentValues, ArgumentCount));
  if (Error E = std::visit(
          [&](const auto &C) {
            enterOutputs(C, Files);
            if (Files.anyWritten())
              enterInputs(C, Files);
            Error Clash = Files.check();
            return Clash ? std::move(Clash) : run(C, Status);
          },
          *Parsed))
    return reportFatal("thermo-profdata", std::move(E));
  return finishOutput("thermo-profdata", Status);
}
