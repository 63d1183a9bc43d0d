//===- inspect/AuditedLink.h - A link and what was decided ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every subcommand of thermo-lto that looks at a link starts from: the
// modules of the link, the decisions of its indexes or else the engine's, the
// audit of these decisions, and the names that a profile knows.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INSPECT_AUDITEDLINK_H
#define THERMOCLINE_LTO_INSPECT_AUDITEDLINK_H

#include "options/LinkOptions.h"
#include "thermocline/Audit/Audit.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Report/Model.h"
#include "llvm/Support/Error.h"

namespace thermocline::lto {

struct AuditedPart {
  context::ContextProgram Program;
  /// What the index says, else what the engine says.
  context::Decisions Decided;
  context::AuditResult Audited;
  /// The engine's result; none for decisions that are not the engine's.
  std::optional<context::EngineResult> Engine;
};

struct AuditedLink {
  /// The profile that the options name; null if they name none.
  std::unique_ptr<profile::IndexedProfile> Profile;
  /// Who decided, for the headline of reports.
  std::string DecidedBy;
  std::vector<AuditedPart> Parts;
  /// The frames of the profile, if there is one, else those of the modules, if
  /// they are asked for.
  std::optional<profile::FrameTable> Frames;
  profile::FunctionNames Names;
  /// What of the profile no part has, if there is a profile.
  std::optional<report::ProfileCoverage> Coverage;
  /// What the modules tell of the predicted working set.
  std::optional<report::ProfileWorkingSet> WorkingSet;
  /// What modules and profile do not agree on.
  std::vector<std::string> Warnings;
  /// See LinkContents.
  std::vector<std::string> NamedFiles;

  /// Refer to this object.
  std::vector<report::Sources> sources() const;
  /// Whether any part has a profiled context.
  bool hasContexts() const;
  /// Whether the audit finds nothing wrong with any part.
  bool isSafe() const;
};

/// Reads \p Files as readLink() does, and the profile that \p Options name, and
/// lets the engine decide with \p Options. Where an index says something else
/// than the engine does, its decisions count, and nothing is known of their
/// reasons. \p FrameNames asks for the frames of the modules, which takes as
/// long as to read their code; a profile needs that in any case.
llvm::Expected<AuditedLink> auditLink(llvm::ArrayRef<std::string> Files,
                                      const LinkOptions &Options,
                                      bool FrameNames);

} // namespace thermocline::lto

#endif
