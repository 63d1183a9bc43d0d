//===- lto/link/LinkResults.h - What a link has done ---------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The results of a link. Its steps leave here what the user is told at the end.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKRESULTS_H
#define THERMOCLINE_LTO_LINK_LINKRESULTS_H

#include "LinkInputs.h"
#include "program/CodeInventory.h"
#include "program/LinkBases.h"
#include "program/LinkedCopies.h"
#include "thermocline/Apply/Statistics.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/Engine.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace thermocline::lto {

/// What was decided on the ThinLTO part of the link, or on the regular one.
/// They know each other's functions only as defined outside, since regular LTO
/// is through with its module when the thin link begins.
struct LinkPart {
  context::ContextProgram Program;
  context::EngineResult Result;
  /// What the clones of this part were allowed to add.
  std::optional<uint64_t> MaxInstructionsAdded;
  /// The module of each function, if there are to be remarks; empty for regular
  /// LTO. Indexed by FunctionId.
  std::vector<llvm::StringRef> Modules = {};
};

struct LinkResults {
  /// The parts with contexts, in the order in which they were decided.
  std::vector<LinkPart> Parts;
  /// Names that LinkPart::Modules refers to.
  llvm::StringSet<> ModuleNames;
  /// The ThinLTO modules that backends in this process have compiled.
  llvm::StringSet<> Compiled;
  uint64_t ModulesApplied = 0;
  apply::ApplyStatistics Applied;
  bool RegularLTODone = false;
  /// Whether any module was compiled with a heap profile, and matched it.
  bool AnyProfiled = false;
  bool AnyMatched = false;
  /// Hashes (xxh3) of the notes of the compiler (PackedCarrier.h) that the thin
  /// link has read, and of those that its modules have but it has not.
  std::unordered_set<uint64_t> Notes, LostNotes;
  /// ThinLTO modules in whose summaries contexts have no sizes.
  std::set<std::string> WithoutSizes;
  /// What of the program's own hinted calls may end in.
  OwnOperators Operators;
  /// The bases by which the contexts of modules were classified.
  LinkBases Bases;
  /// The profile of --thinlto-memprof-profile; null if there is none.
  std::unique_ptr<profile::IndexedProfile> Profile;
  /// What copies of inline functions have that are not linked, and those that
  /// are have not. Of modules that backends in this process have compiled.
  CopiesWithoutProfile Copies;
  /// Names of the functions of the modules that were compiled. Collected for
  /// reports.
  profile::FunctionNames Names;
  /// The frames of their calls, for reports without a profile.
  profile::FrameTable Frames;
  /// The code that a given profile is compared with.
  CodeInventory Code;
};

} // namespace thermocline::lto

#endif
