//===- thermocline/Report.cpp - The report command ------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds out whether it was given profiles or decisions, and lets the tool for
// these make the report.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Terminal.h"
#include "Tools.h"
#include "thermocline/Profile/Raw/RawProfile.h"
#include "thermocline/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::front;

/// Whether the file at \p Path is a profile, raw or indexed.
static Expected<bool> isProfile(StringRef Path) {
  const bool IsStandardInput = Path == "-";
  if (!IsStandardInput && !sys::fs::exists(Path))
    return fileError(Path, "there is no such file");
  // This looks at the file, and the tool reads it after that.
  if (IsStandardInput ||
      (!sys::fs::is_regular_file(Path) && !sys::fs::is_directory(Path)))
    return fileError(Path, "is a stream, which can be read only once: put it "
                           "into a file for a report");
  if (profile::RawProfile::isRaw(Path))
    return true;
  auto Contents = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                        /*RequiresNullTerminator=*/false);
  if (!Contents)
    return fileError(Path, Contents.getError().message());
  const StringRef Text = (*Contents)->getBuffer();
  return Text.size() >= sizeof(uint64_t) &&
         support::endian::read64le(Text.data()) == IndexedInstrProf::Magic;
}

/// The command for what is given.
static Expected<ShellCommand> lineFor(const ReportCommand &Command) {
  std::vector<std::string> Profiles, Decisions;
  std::vector<std::string> Inputs = Command.Inputs;
  if (Inputs.empty()) {
    if (!sys::fs::exists(DefaultProfile))
      return fileError(DefaultProfile,
                       "is not there: name a profile, or files with "
                       "decisions (see thermocline report --help)");
    Inputs.push_back(DefaultProfile);
  }
  for (const std::string &Input : Inputs) {
    Expected<bool> Is = isProfile(Input);
    if (!Is)
      return Is.takeError();
    (*Is ? Profiles : Decisions).push_back(Input);
  }
  if (Profiles.size() > 1)
    return fileError(Profiles[1], "a report is of one profile, and " +
                                      Profiles[0] +
                                      " is given as well: merge them first");
  const bool IsOfLink = !Decisions.empty();
  if (IsOfLink && !Command.Binaries.empty())
    return fileError(Decisions.front(), "--binary is for profiles: the report "
                                        "of a link has names from modules");
  Expected<std::string> Tool =
      findTool(IsOfLink ? "thermo-lto" : "thermo-profdata");
  if (!Tool)
    return Tool.takeError();
  ShellCommand Line;
  Line.Words = {*Tool};
  if (IsOfLink) {
    Line.Words.push_back(Command.Json ? "audit" : "report");
    if (Command.Json)
      Line.Words.push_back("--format=json");
    for (const std::string &Profile : Profiles)
      Line.Words.push_back("--profile=" + Profile);
  } else {
    Line.Words.push_back(Command.Json ? "export" : "report");
    for (const std::string &Binary : Command.Binaries)
      Line.Words.push_back("--binary=" + Binary);
  }
  append_range(Line.Words, Command.More);
  std::string Output = Command.Output;
  if (Output.empty())
    Output = Command.Json ? "-" : DefaultPage;
  Line.Words.insert(Line.Words.end(), {"-o", Output});
  append_range(Line.Words, IsOfLink ? Decisions : Profiles);
  return Line;
}

Error front::runReport(const ReportCommand &Command) {
  Expected<ShellCommand> Line = lineFor(Command);
  if (!Line)
    return Line.takeError();
  printCommand(Command.Verbose, *Line);
  Expected<EndedRun> Run = run(*Line);
  if (!Run)
    return Run.takeError();
  // It has said why.
  if (!Run->How.isSuccess())
    return createStringError(
        "no report: " + sys::path::filename(Line->Words.front()) + " " +
        Run->How.text());
  if (!Command.Json && Command.Output.empty())
    outs() << DefaultPage << ": for a browser\n";
  return Error::success();
}
