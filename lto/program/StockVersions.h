//===- program/StockVersions.h - Versions that LLVM mixes up ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's backends mix up some versions. They take two versions of a function
// for one if what is not 0 in their decisions is the same in the same order, no
// matter which calls it belongs to. So if one version redirects the first of
// two calls, and another version the second, they become one, and memory that
// is not cold comes from cold hints.
//
// In indexes for such backends, functions with versions of that kind get one
// more record, like that of a tail call, in which all versions differ. Its
// callee is one that the function does not tail call, so the record affects no
// call.
//
// Also, LLVM's indexes have no decisions for copies of inline functions that do
// not prevail. If a backend inlines such a copy, its calls reach originals. A
// context that is not cold must then not reach a cold hint that the prevailing
// copy would have avoided.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_STOCKVERSIONS_H
#define THERMOCLINE_LTO_PROGRAM_STOCKVERSIONS_H

#include "SummaryReader.h"
#include "thermocline/Engine/Engine.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"

namespace thermocline::lto {

/// Calls in copies of functions (those that \p HasCopies says, by FunctionId)
/// at which contexts that are not cold leave the way that \p Decided has for
/// them, and come to a cold hint; sorted.
std::vector<context::CallsiteId>
leaksThroughCopies(const context::ContextProgram &Program,
                   const context::EngineResult &Decided,
                   const std::vector<bool> &HasCopies);

class StockVersions {
public:
  /// \p Index must outlive it.
  explicit StockVersions(const llvm::ModuleSummaryIndex &Index);

  /// Decides so that LLVM's backends do what was decided: functions for which
  /// there is no such callee have one version, and calls that leak through
  /// copies count as indirect, which cannot be redirected.
  context::EngineResult decide(SummaryProgram &Program,
                               const context::EngineOptions &Options) const;

  /// Adds the records. Called after writeDecisions.
  void keepApart(const SummaryProgram &Program) const;

private:
  /// Defined in the module of \p FS, so that its index has it; empty for none.
  llvm::ValueInfo findNotTailCalled(const llvm::FunctionSummary &FS) const;

  llvm::StringMap<std::vector<llvm::ValueInfo>> ByModule;
  /// The functions that several modules define.
  llvm::DenseSet<const llvm::FunctionSummary *> WithCopies;
};

} // namespace thermocline::lto

#endif
