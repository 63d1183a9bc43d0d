//===- Report/LinkView.h - How contexts run through versions ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inverts the result of the audit: for each version of a function and each call
// in it, it knows the contexts that run through. Explanations and pictures of
// decisions are made from it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_LINKVIEW_H
#define THERMOCLINE_REPORT_LINKVIEW_H

#include "thermocline/Report/Model.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace thermocline::report {

/// A set of contexts by what the profile says of them.
struct Passage {
  context::AuditCell Cold, NotCold;
  /// Their numbers in the report, ascending.
  std::vector<uint32_t> Contexts;
};

/// One part of a link.
class PartView {
public:
  /// \p Part must outlive the object. \p FirstNumber is the number in the
  /// report of the part's first context.
  PartView(const Sources &Part, uint32_t FirstNumber);

  const Sources &from() const { return Part; }
  const context::ContextProgram &program() const { return Part.Program; }

  /// Its number in the report; copies of a context share one.
  uint32_t number(context::ContextId C) const;
  /// The context of this number; none if it is another part's.
  context::ContextId context(uint32_t Number) const;

  uint32_t numVersions(context::FunctionId F) const {
    return Part.Decided.NumVersions[F.index()];
  }
  /// The version that version \p V of its caller calls.
  uint32_t calledVersion(context::CallsiteId C, uint32_t V) const {
    return Part.Decided.Clones[C.index()][V];
  }
  /// The contexts that run through version \p V of a function, and through one
  /// of its calls.
  Passage through(context::FunctionId F, uint32_t V) const;
  Passage through(context::CallsiteId C, uint32_t V) const;

  /// Demangled.
  std::string name(context::FunctionId F) const;
  /// Where a call is, innermost frame first: "f +1:2, inlined into g +3:4", or
  /// stack ids where the profile is not given.
  std::string place(context::CallsiteId C) const;
  /// Where an allocation is, in the same form; empty if it is not known.
  std::string place(context::AllocationId A) const;

private:
  Passage sum(llvm::ArrayRef<context::ContextId> Contexts) const;

  const Sources &Part;
  const uint32_t FirstNumber;
  using Key = std::pair<uint32_t, uint32_t>;
  std::map<Key, std::vector<context::ContextId>> ByFunction, ByCall;
};

/// Adds to \p Model, the report of \p Parts, what clones cost: the instructions
/// of each version beyond the original are shared out among the hinted contexts
/// that run through it.
void addCloneCosts(ReportModel &Model, llvm::ArrayRef<Sources> Parts);

/// All parts of a link and its report.
struct LinkView {
  /// \p Parts must outlive the object.
  explicit LinkView(llvm::ArrayRef<Sources> Parts);

  std::vector<PartView> Parts;
  ReportModel Model;
  /// The context of this number in Model; null for the number of a copy.
  const ReportContext *context(uint32_t Number) const;

private:
  std::map<uint32_t, size_t> Places;
};

} // namespace thermocline::report

#endif
