//===- lto/LinkSession.h - One link, from thin link to report - -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM creates and runs the seam's passes itself, in the thin link and then in
// parallel backends, and hands nothing from one to the other but the index.
// This object is where they leave what the user is told at the end. There is
// one in the process, as there is one link.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINKSESSION_H
#define THERMOCLINE_LTO_LINKSESSION_H

#include "IndexDecisions.h"
#include "SeamOptions.h"
#include "thermocline/Apply/Statistics.h"
#include "thermocline/Context/Audit.h"
#include "thermocline/Context/Engine.h"
#include "llvm/Support/raw_ostream.h"
#include <mutex>
#include <optional>

namespace thermocline::lto {

class LinkSession {
public:
  static LinkSession &get();

  /// Says that the backends are not this program's, but read written indexes.
  /// Called by main before the link.
  void setCompilesElsewhere() { CompilesElsewhere = true; }

  /// Decides for the whole program and writes the decisions into \p Index.
  /// Called once, by the thin link.
  void thinLink(llvm::ModuleSummaryIndex &Index, IsPrevailing Prevailing);

  /// Applies the decisions of \p Index to \p M. Called by each backend, in
  /// parallel. Errors go to the module's diagnostic handler.
  bool applyTo(llvm::Module &M, const llvm::ModuleSummaryIndex &Index);

  /// The step of regular LTO, which has no index: lowers allocations that are
  /// marked cold as they stand, and strips contexts.
  bool applyWithoutIndex(llvm::Module &M);

  /// Prints and writes what the options ask for. Called by main after the link.
  llvm::Error finish(llvm::StringRef Tool,
                     llvm::raw_ostream &OS = llvm::errs());

private:
  const LinkOptions &options();
  void warn(const llvm::Twine &Text);
  /// A profile that hints nothing is more often a mistake than wanted.
  void warnOfLimits();
  void warnIfNothingIsCold();
  void printStatistics(llvm::StringRef Tool,
                       const context::AuditResult &Audited,
                       llvm::raw_ostream &OS) const;

  std::mutex Lock;
  std::optional<LinkOptions> Options;
  bool CompilesElsewhere = false;
  std::optional<SummaryProgram> Program;
  /// Written by the thin link, read by the backends.
  ExportsByModule Exports;
  std::optional<context::EngineResult> Result;
  apply::ApplyStatistics Applied;
  uint64_t ModulesApplied = 0;
  bool WarnedOfRegularLTO = false;
};

} // namespace thermocline::lto

#endif
