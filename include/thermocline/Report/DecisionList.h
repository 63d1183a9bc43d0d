//===- Report/DecisionList.h - Decisions, listed one by one ----- -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What was decided, without judging it: the versions of every function, and in
// each of them the versions that its calls call and the hints of its
// allocations. The format is for people and for scripts, and its number changes
// when a script could notice; docs/decisions.md describes it. Called by ld.lld
// and thermo-lto.
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
  /// Symbol name; empty where it is not known.
  std::string Callee;
  context::Redirect Redirectable = context::Redirect::Yes;
  /// Innermost first; none for a tail call that leaves no frame.
  std::vector<ReportFrame> Frames;
  /// By version of the caller: the version of the callee.
  std::vector<uint32_t> Clones;
};

struct DecidedAllocation {
  /// Its number among the allocations of its function.
  size_t Record = 0;
  /// Innermost first; none without a profile.
  std::vector<ReportFrame> Place;
  context::AuditCell All, Cold;
  /// By version of the owner.
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
  /// Those with calls or allocations, by name, then in the order of the parts.
  std::vector<DecidedFunction> Functions;
};

/// Of all \p Parts of one link.
DecisionList listDecisions(llvm::ArrayRef<Sources> Parts);

/// The symbol name that version \p Version of \p Function has.
std::string versionName(llvm::StringRef Function, uint32_t Version);

/// As text or JSON; there is no HTML.
void write(const DecisionList &List, Format As, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
