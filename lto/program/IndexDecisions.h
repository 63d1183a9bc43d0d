//===- program/IndexDecisions.h - Decisions in a summary index --*- C++ -*-===//
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

#ifndef THERMOCLINE_LTO_PROGRAM_INDEXDECISIONS_H
#define THERMOCLINE_LTO_PROGRAM_INDEXDECISIONS_H

#include "SummaryReader.h"
#include "thermocline/Context/Decisions.h"
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

/// Notes for the backends which functions are called in a version through
/// indirect calls alone, so that no symbol mentions them: their names where
/// they are called, and where they are defined that they must be visible and
/// keep an address of their own.
/// Called after writeDecisions.
void noteTargets(llvm::ModuleSummaryIndex &Index,
                 const SummaryProgram &Program);

/// Gives the records of \p Program to the other copies of the same functions,
/// which have none: a backend that has only the index of its module follows the
/// prevailing copy by them. Without contexts, which would be repeated for each
/// copy. Called after noteTargets.
void copyToOtherCopies(llvm::ModuleSummaryIndex &Index,
                       const SummaryProgram &Program);

/// Folds the decisions of each module into its hash in \p Index, by which the
/// ThinLTO cache knows what it has compiled: the key that LLVM computes does
/// not cover decisions. Those of a function are of the modules with another
/// copy of it as well. \p Settings is what else steers the backends, "" for the
/// default; modules without records change with it alone. Modules without a
/// hash (nothing is cached then) keep none.
void hashDecisions(llvm::ModuleSummaryIndex &Index, llvm::StringRef Settings);

} // namespace thermocline::lto

#endif
