//===- thermo-lto/Audit.cpp - Where every context ends --------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "thermocline/Context/Audit.h"
#include "Commands.h"
#include "LoadedLink.h"
#include "Options.h"
#include "ProfileMeasures.h"
#include "SeamOptions.h"
#include "thermocline/Context/Engine.h"
#include "thermocline/Profile/IndexedProfile.h"
#include "thermocline/Report/Writers.h"
#include "thermocline/Support/Errors.h"
#include "llvm/Support/Threading.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::tools;

Expected<int> thermocline::tools::auditCommand() {
  AuditOptions O = auditOptions();
  if (O.Inputs.empty())
    return fileError("audit", "no input files");
  std::string OutputFile = O.Output.empty() ? "-" : O.Output;
  report::Format Format = report::formatForFile(OutputFile);
  if (!O.Format.empty()) {
    std::optional<report::Format> Named = report::parseFormat(O.Format);
    if (!Named)
      return fileError("--format", "unknown format '" + O.Format +
                                       "'; text, json and html are known");
    Format = *Named;
  }

  lto::LinkOptions Settings = lto::linkOptions();
  if (O.Profile.empty())
    O.Profile = Settings.ProfileFile;
  Expected<lto::LoadedLink> Link = lto::loadLink(
      O.Inputs, Settings.Reader, /*FrameNames=*/!O.Profile.empty());
  if (!Link)
    return Link.takeError();
  context::ContextProgram &Program = Link->Program.Program;

  std::optional<profile::FrameTable> Frames;
  if (!O.Profile.empty()) {
    auto Profile = profile::IndexedProfile::open(O.Profile);
    if (!Profile)
      return Profile.takeError();
    auto Table = (*Profile)->frames();
    if (!Table)
      return Table.takeError();
    Frames = std::move(*Table);
    auto Measured = lto::setMeasures(Program, **Profile);
    if (!Measured)
      return Measured.takeError();
  }

  context::EngineOptions Options = Settings.Engine;
  Options.MaxInstructionsAdded =
      Settings.Growth.instructions(Link->Instructions);
  Options.Threads = hardware_concurrency().compute_thread_count();
  std::optional<context::EngineResult> Engine =
      context::decide(Program, Options);
  std::string DecidedBy = "thermocline, from the modules alone";
  if (Link->Decided) {
    // Decisions that are ours have our reasons; of others only the audit tells.
    DecidedBy = "the given index";
    if (Engine->Decided == *Link->Decided)
      DecidedBy += ", as thermocline decides with the same options";
    else
      Engine.reset();
  }
  const context::Decisions &Decided = Engine ? Engine->Decided : *Link->Decided;
  context::AuditResult Audited = context::audit(Program, Decided);
  Audited.Malformed.insert(Audited.Malformed.begin(), Link->Malformed.begin(),
                           Link->Malformed.end());

  report::Sources Sources{DecidedBy,
                          /*Output=*/"",
                          Program,
                          Decided,
                          Audited,
                          Engine ? &*Engine : nullptr,
                          Frames ? &*Frames : nullptr,
                          &Link->Names,
                          /*HintsByKind=*/{}};
  report::ReportModel Model = report::buildModel(Sources);
  report::WriteOptions Listing;
  Listing.MaxContexts = O.MaxContexts;
  Listing.ListAll = O.ListAll;
  if (Error E = writeFileAtomically(OutputFile, [&](raw_ostream &OS) {
        report::write(Model, Format, Listing, OS);
        return Error::success();
      }))
    return std::move(E);
  return Audited.isSafe() ? 0 : 1;
}
