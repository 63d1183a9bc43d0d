//===- profile/lifecycle/ProfilePath.cpp - Where the profile goes ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds where the profile goes, by options, the program and its caller.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "output/FileName.h"
#include "platform/System.h"
#include "process/Environment.h"
#include "process/ProgramSymbols.h"
#include <errno.h>
#include <sys/utsname.h>

using namespace thermocline::runtime;

int Runtime::stream() const {
  if (OwnStream)
    return OwnStream;
  const FixedString &Path = TheOptions.LogPath;
  if (textEquals(Path.text(), Path.size(), "stderr"))
    return 2;
  return textEquals(Path.text(), Path.size(), "stdout") ? 1 : 0;
}

void Runtime::setProfilePath(const char *Path, int Stream) {
  setUpProcess();
  Guard G(Dumping);
  OwnStream = Stream;
  TheOptions.LogPath.clear();
  TheOptions.LogPath << Path;
  setLogPath();
  HasDumped = false;
}

const char *Runtime::profilePath() {
  setUpProcess();
  // A handler may have interrupted a dump by this thread.
  GuardOrGiveUp G(Dumping);
  return pathText();
}

const char *Runtime::pathText() const {
  switch (stream()) {
  case 0:
    return File.path().text();
  case 1:
    return "stdout";
  default:
    return "stderr";
  }
}

void Runtime::reportNameOnce(TextWriter &Error) {
  if (HasReportedName)
    Error.discard();
  HasReportedName = true;
}

/// Refuses a relative name in a program with more rights: whoever starts the
/// program chooses its working directory, and may have no right to write there.
void Runtime::refuseOthersDirectory(const FixedString &Name) {
  HasDestination = !hasMoreRights() || *Name.text() == '/' || stream();
  if (HasDestination)
    return;
  Message Error;
  Error << "no profile is written: this program has more rights than who "
           "started it and chose the directory; compile it with an absolute "
           "name for the profile\n";
  reportNameOnce(Error);
}

void Runtime::expandLogPath(FixedString &Name) {
  const char *Pattern = TheOptions.LogPath.text();
  if (TheOptions.LogPath.empty() && programSymbols().ProfileFileName)
    Pattern = programSymbols().ProfileFileName;
  if (!*Pattern)
    Pattern = format::DefaultProfileFileName;
  struct utsname Machine;
  NameParts Parts;
  Parts.ProcessId = static_cast<uint64_t>(ProcessId);
  if (uname(&Machine) == 0)
    Parts.HostName = Machine.nodename;
  Parts.TemporaryDirectory = TemporaryDirectory.text();
  if (Code.size()) {
    Parts.BuildId = Code[0].BuildId;
    Parts.BuildIdBytes = Code[0].BuildIdSize;
  }
  if (TheOptions.LogExeName)
    Parts.ProgramName = program_invocation_short_name;
  Parts.Suffix = TheOptions.LogSuffix.text();
  Message Error;
  Error << "the profile's name " << Pattern << " ";
  if (expandFileName(Pattern, Parts, Name, IsContinuous, Error)) {
    Error.discard();
    return;
  }
  Error << "; profiles go to " << format::DefaultProfileFileName << ".PID\n";
  reportNameOnce(Error);
  Name.clear();
  Name << format::DefaultProfileFileName << "." << Parts.ProcessId;
}

bool Runtime::isListedProgram() const {
  if (IsAbsent)
    return false;
  const char *Name = program_invocation_short_name;
  // Before libc is ready, there is no name.
  return TheOptions.Programs.empty() || !*Name ||
         isListed(Name, TheOptions.Programs.text());
}

void Runtime::setLogPath() {
  IsContinuous = TheOptions.Continuous;
  FixedString Name;
  expandLogPath(Name);
  refuseOthersDirectory(Name);
  HasDestination &= isListedProgram() && !TheOptions.Standby;
  File.setPath(Name.text());
  Continuous.abandon();
  SyncIntervalMs = 1;
  HasEnded = false;
  IsContinuous &= HasDestination;
  if (IsContinuous && (stream() || TheOptions.PrintText)) {
    IsContinuous = false;
    Message() << "only a raw profile in a file can be continuous; this one is "
                 "written at the end\n";
  }
}
