//===- lto/inspect/AuditedLink.cpp - A link and what was decided on it ----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AuditedLink.h"
#include "LinkReader.h"
#include "program/ProfileCoverage.h"
#include "program/ProfileMeasures.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace thermocline;
using namespace thermocline::context;
using namespace thermocline::lto;

/// \p Read, decided; what its index says counts, if it has one.
static AuditedPart auditPart(PartContents Read, const LinkOptions &Options) {
  EngineOptions Engine = Options.Engine;
  Engine.MaxInstructionsAdded = Options.Growth.instructions(Read.Instructions);
  AuditedPart Result;
  Result.Program = std::move(Read.Program);
  Result.Engine = decide(Result.Program, Engine);
  // Decisions that are ours have our reasons; of others only the audit tells.
  if (Read.Decided && Result.Engine->Decided != *Read.Decided)
    Result.Engine.reset();
  Result.Decided =
      Result.Engine ? Result.Engine->Decided : std::move(*Read.Decided);
  Result.Audited = audit(Result.Program, Result.Decided);
  Result.Audited.Malformed.insert(Result.Audited.Malformed.begin(),
                                  Read.Malformed.begin(), Read.Malformed.end());
  return Result;
}

Expected<AuditedLink> thermocline::lto::auditLink(ArrayRef<std::string> Files,
                                                  const LinkOptions &Options,
                                                  bool FrameNames) {
  const std::string &File = Options.ProfileFile;
  auto Read = readLink(Files, FrameNames || !File.empty());
  if (!Read)
    return Read.takeError();
  AuditedLink Result;
  Result.Names = std::move(Read->Names);
  Result.NamedFiles = std::move(Read->NamedFiles);
  if (FrameNames)
    Result.Frames = std::move(Read->Frames);
  if (!File.empty()) {
    if (Error E = profile::IndexedProfile::open(File).moveInto(Result.Profile))
      return std::move(E);
    if (Error E = Result.Profile->frames().moveInto(Result.Frames))
      return std::move(E);
  }
  Result.DecidedBy = "thermocline, from the modules alone";
  for (PartContents &Part : Read->Parts) {
    bool IsRecorded = Part.Decided.has_value();
    Result.Parts.push_back(auditPart(std::move(Part), Options));
    if (IsRecorded)
      Result.DecidedBy =
          Result.Parts.back().Engine
              ? "the given index, as thermocline decides with the same options"
              : "the given index";
  }
  Result.Warnings = Read->Bases.differences();
  if (Read->LostNotes)
    Result.Warnings.push_back(describeLostNotes(Read->LostNotes));
  Result.WorkingSet = predictedBy(Read->Bases);
  if (!Result.Profile)
    return Result;
  const profile::IndexedProfile &Profile = *Result.Profile;
  std::vector<const ContextProgram *> Programs;
  for (const AuditedPart &Part : Result.Parts)
    Programs.push_back(&Part.Program);
  Expected<LinkedBinaries> Own =
      LinkedBinaries::of(Profile, Read->Code, Programs);
  if (!Own)
    return Own.takeError();
  for (AuditedPart &Part : Result.Parts) {
    // Last, so that it cannot have decided anything.
    if (auto Measured = setMeasures(Part.Program, Profile); !Measured)
      return Measured.takeError();
    if (Part.Engine)
      Own->refineOutcomes(Part.Program, *Result.Frames, *Part.Engine);
    for (size_t I = 0; I != Part.Program.numFunctions(); ++I)
      Result.Names.add(Part.Program[FunctionId(I)].Name);
  }
  auto Coverage = coverageOf(Profile, Programs, Read->Code, *Own, Result.Names,
                             Read->Bases);
  if (!Coverage)
    return Coverage.takeError();
  if (std::string Text = describeContradiction(*Coverage); !Text.empty())
    Result.Warnings.push_back(std::move(Text));
  Result.Coverage = std::move(*Coverage);
  return Result;
}

std::vector<report::Sources> AuditedLink::sources() const {
  std::vector<report::Sources> Result;
  for (const AuditedPart &Part : Parts)
    Result.push_back({.DecidedBy = DecidedBy,
                      .Program = Part.Program,
                      .Decided = Part.Decided,
                      .Audited = Part.Audited,
                      .Engine = Part.Engine ? &*Part.Engine : nullptr,
                      .Frames = Frames ? &*Frames : nullptr,
                      .Names = &Names});
  return Result;
}

bool AuditedLink::hasContexts() const {
  return any_of(Parts, [](const AuditedPart &Part) {
    return Part.Program.numContexts() != 0;
  });
}

bool AuditedLink::isSafe() const {
  return all_of(Parts, [](const AuditedPart &P) { return P.Audited.isSafe(); });
}
