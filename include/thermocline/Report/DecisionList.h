//===- Report/DecisionList.h - Decisions, listed one by one -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The list of what was decided, without judgement: the versions of every
// function, and for each version the versions that its calls call and the hints
// of its allocations. The format is for people and for scripts. Its number
// changes when a script could notice. docs/decisions.md describes it. Called by
// ld.lld and thermo-lto.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_DECISIONLIST_H
#define THERMOCLINE_REPORT_DECISIONLIST_H

#include "thermocline/Report/Model.h"
#include "thermocline/Report/Writers.h"
#include "llvm/ADT/ArrayRef.h"

namespace thermocline::report {

/// The number of the format, which stands in its first line.
constexpr unsigned DecisionFormat = 1;

struct DecidedCall {
  /// Its number among the callsites of its function.
  size_t Record = 0;
  /// Symbol name; empty if it is not known.
  std::string Callee;
  context::Redirect Redirectable = context::Redirect::Yes;
  /// Innermost first; none for a tail call that leaves no frame.
  std::vector<ReportFrame> Frames;
  /// The version of the callee, for each version of the caller.
  std::vector<uint32_t> Clones;
};

struct DecidedAllocation {
  /// Its number among the allocations of its function.
  size_t Record = 0;
  /// Innermost first; none without a profile.
  std::vector<ReportFrame> Place;
  context::AuditCell All, Cold;
  /// The hint in each version of the owner.
  std::vector<context::Temperature> Hints;
};

struct DecidedFunction {
  /// Symbol name.
  std::string Name;
  uint64_t Instructions = 0;
  bool Clonable = true;
  uint32_t NumVersions = 1;
  std::vector<DecidedCall> Calls;
  std::vector<DecidedAllocation> Allocations;
};

struct DecisionList {
  std::string DecidedBy = "thermocline";
  /// The functions with calls or allocations, by name, then in the order of the
  /// parts.
  std::vector<DecidedFunction> Functions;
};

/// Lists the decisions of all \p Parts of one link.
DecisionList listDecisions(llvm::ArrayRef<Sources> Parts);

/// The symbol name that version \p Version of \p Function has.
std::string versionName(llvm::StringRef Function, uint32_t Version);

/// Writes the list as text or JSON; there is no HTML.
void write(const DecisionList &List, Format As, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
