//===- thermo-lto/View.cpp - What the looking subcommands share -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "View.h"
#include "options/LinkOptions.h"
#include "thermocline/Report/LinkView.h"
#include "thermocline/Support/Errors.h"
#include "thermocline/Support/FileRoles.h"
#include "thermocline/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<report::Format> tools::formatOf(const ViewOptions &O,
                                         ArrayRef<report::Format> Known) {
  if (O.Format.empty()) {
    report::Format ByName = report::formatForFile(O.Output);
    return is_contained(Known, ByName) ? ByName : Known.front();
  }
  if (auto Named = report::parseFormat(O.Format);
      Named && is_contained(Known, *Named))
    return *Named;
  std::string Names = report::nameOf(Known.front()).str();
  for (report::Format F : Known.drop_front())
    Names += (F == Known.back() ? " and " : ", ") + report::nameOf(F).str();
  return fileError("--format",
                   "unknown format '" + O.Format + "'; " + Names +
                       (Known.size() == 1 ? " is known" : " are known"));
}

static FileRoles filesOf(const ViewOptions &O) {
  FileRoles Result;
  for (const std::string &Input : O.Inputs)
    Result.uses(Input);
  Result.uses(O.Profile, "the file of --profile");
  Result.uses(lto::linkOptions().ProfileFile,
              "the file of --thinlto-memprof-profile");
  Result.usesResponseFiles(O.CommandLine);
  Result.writes(O.Output);
  return Result;
}

Expected<lto::AuditedLink>
tools::loadForView(StringRef Command, const ViewOptions &O, bool FrameNames,
                   ArrayRef<std::string> OtherInputs) {
  if (O.Inputs.empty())
    return fileError(Command, "no input files");
  FileRoles Files = filesOf(O);
  for (const std::string &File : OtherInputs)
    Files.uses(File);
  if (Error E = Files.check())
    return std::move(E);
  lto::LinkOptions Settings = lto::linkOptions();
  if (!O.Profile.empty())
    Settings.ProfileFile = O.Profile;
  Expected<lto::AuditedLink> Link =
      lto::auditLink(O.Inputs, Settings, FrameNames);
  if (!Link)
    return Link.takeError();
  for (const std::string &File : Link->NamedFiles)
    Files.uses(File, "a module that an index names");
  if (Error E = Files.check())
    return std::move(E);
  for (const std::string &Text : Link->Warnings)
    WithColor::warning(errs(), "thermo-lto") << Command << ": " << Text << '\n';
  return Link;
}

void tools::warnIfNoContexts(StringRef Command, const lto::AuditedLink &Link) {
  if (!Link.hasContexts())
    WithColor::warning(errs(), "thermo-lto")
        << Command << ": the files hold no profiled contexts\n";
}

report::ReportModel tools::modelOf(lto::AuditedLink &Link, bool CloneCosts) {
  report::ReportModel Result = report::buildModel(Link.sources());
  Result.Coverage = std::move(Link.Coverage);
  Result.WorkingSet = Link.WorkingSet;
  if (CloneCosts)
    report::addCloneCosts(Result, Link.sources());
  return Result;
}

Expected<std::optional<report::ProfileFacts>>
tools::factsOf(const report::ReportModel &Model, const lto::AuditedLink &Link) {
  if (!Link.Profile)
    return std::nullopt;
  return report::factsOf(Model, *Link.Profile);
}

Error tools::writeOutput(const ViewOptions &O,
                         function_ref<void(raw_ostream &)> Write) {
  return writeFileAtomically(O.Output.empty() ? "-" : O.Output,
                             [&](raw_ostream &OS) {
                               Write(OS);
                               return Error::success();
                             });
}
