//===- lto/IndexDecisions.h - Decisions in a summary index ---- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes decisions into the `Clones` and `Versions` of an index, where backends
// (ours and stock LLVM's) find them, and reads them back from there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_INDEXDECISIONS_H
#define THERMOCLINE_LTO_INDEXDECISIONS_H

#include "SummaryReader.h"
#include "thermocline/Apply/CandidateTargets.h"
#include "thermocline/Context/Decisions.h"
#include <map>
#include <string>

namespace thermocline::lto {

/// Stores \p Decided in the records that \p Program was read from. Called once,
/// in the thin link.
void writeDecisions(const SummaryProgram &Program,
                    const context::Decisions &Decided);

/// What the records of an index say, whoever wrote them. Records that disagree
/// on the number of versions of their function are listed in \p Malformed, one
/// sentence each; the decisions are then completed with version 0 and NotCold.
context::Decisions readDecisions(const SummaryProgram &Program,
                                 std::vector<std::string> &Malformed);

/// By module path: the functions that another module may call in a version only
/// through an indirect call, so that its symbols do not mention them.
using ExportsByModule = std::map<std::string, apply::ExportedTargets>;

/// What the decisions in the records of \p Program make other modules refer to.
/// Called after writeDecisions.
ExportsByModule findExports(const SummaryProgram &Program);

/// Folds the decisions of each module into its hash in \p Index, by which the
/// ThinLTO cache knows what it has compiled: the key that LLVM computes does
/// not cover decisions, nor \p Exports. \p Settings is what else steers the
/// backends, "" for the default; modules without records change with it alone.
/// Modules without a hash (nothing is cached then) keep none.
void hashDecisions(llvm::ModuleSummaryIndex &Index, llvm::StringRef Settings,
                   const ExportsByModule &Exports);

} // namespace thermocline::lto

#endif
