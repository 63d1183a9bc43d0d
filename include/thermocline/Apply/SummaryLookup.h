//===- Apply/SummaryLookup.h - Functions and their summaries -- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the summary of a function in a module that a ThinLTO backend compiles.
// By then local functions have been promoted (`f.llvm.HASH`), others have been
// made local, and copies of functions of other modules have been imported. The
// index still knows each of them by the name that it had when it was compiled.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_SUMMARYLOOKUP_H
#define THERMOCLINE_APPLY_SUMMARYLOOKUP_H

#include "llvm/IR/ModuleSummaryIndex.h"

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace thermocline::apply {

class SummaryLookup {
public:
  /// Both arguments must outlive the object.
  SummaryLookup(const llvm::Module &M, const llvm::ModuleSummaryIndex &Index)
      : M(M), Index(Index) {}

  /// The summary with the records of \p F, a definition; null if the index has
  /// none. For a copy of a function that prevails in another module it is the
  /// summary there, which alone has records.
  const llvm::FunctionSummary *find(const llvm::Function &F) const;

  /// The summary of \p VI in this module, through an alias; null if the module
  /// does not define it.
  const llvm::FunctionSummary *own(llvm::ValueInfo VI) const;

  /// Whether \p Summary, found for \p F, is or repeats that of a definition in
  /// another module, which is linked instead of \p F.
  bool isElsewhere(const llvm::Function &F,
                   const llvm::FunctionSummary &Summary) const;

  /// The index's entry for the function or alias \p GV, empty if it has none.
  /// \p User, if there is one, refers to it: a local function of the module
  /// that User was imported from may be declared here only.
  llvm::ValueInfo findValue(const llvm::GlobalValue &GV,
                            const llvm::Function *User = nullptr) const;

  /// The identifier of the module that \p F was compiled in: this one, or the
  /// one that it was imported from.
  llvm::StringRef sourceModule(const llvm::Function &F) const;

private:
  const llvm::Module &M;
  const llvm::ModuleSummaryIndex &Index;
};

} // namespace thermocline::apply

#endif
