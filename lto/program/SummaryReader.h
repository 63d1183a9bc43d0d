//===- lto/program/SummaryReader.h - Index to context program ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the context program of a ThinLTO link from its combined module summary
// index. What a record means is ModuleSummaryAnalysis' business; which copy of
// a function counts is the linker's, told by `isPrevailing`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_SUMMARYREADER_H
#define THERMOCLINE_LTO_PROGRAM_SUMMARYREADER_H

#include "LinkBases.h"
#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ModuleSummaryIndex.h"

namespace thermocline::lto {

using IsPrevailing = llvm::function_ref<bool(llvm::GlobalValue::GUID,
                                             const llvm::GlobalValueSummary *)>;

struct ReaderOptions {
  /// Whether the backends call a version through an indirect call where the
  /// decisions say so. Thermocline's do always. Without, a record of a function
  /// that also calls indirectly may be of a target in the value profile of an
  /// indirect call; where the summary allows for it, the call counts as
  /// indirect.
  bool PromotesIndirectCalls = true;
};

/// A context program and the records that it was read from. Callsite i of
/// function f is record i of callsites() of Functions[f]; likewise allocations
/// and allocs(). Callsites without stack ids come last, and have no record yet.
struct SummaryProgram {
  context::ContextProgram Program;
  /// What the tail calls call, of callsites without stack ids.
  llvm::DenseMap<context::CallsiteId, llvm::ValueInfo> TailCallees;
  /// By what its modules say that contexts were classified.
  LinkBases Bases;
  /// What is wrong with packed contexts that cannot be read, which are left
  /// out.
  std::vector<std::string> Damaged;
  /// By FunctionId. The index owns the summaries.
  std::vector<llvm::FunctionSummary *> Functions;

  bool hasRecords() const {
    return Program.numCallsites() || Program.numAllocations();
  }
};

/// Reads the records of all live prevailing functions of \p Index, in the order
/// of GUIDs and then of modules. Called by the thin link and by the audit.
SummaryProgram readSummary(const llvm::ModuleSummaryIndex &Index,
                           IsPrevailing Prevailing,
                           const ReaderOptions &Options = {});

/// The instructions of all live prevailing functions, with a profile or not.
uint64_t countInstructions(const llvm::ModuleSummaryIndex &Index,
                           IsPrevailing Prevailing);

/// Whether \p S, of the function \p GUID, is the one that is linked.
bool counts(const llvm::ModuleSummaryIndex &Index, llvm::GlobalValue::GUID GUID,
            const llvm::FunctionSummary &S, IsPrevailing Prevailing);

/// The function summary that calls of \p Callee from module \p CallerModule
/// reach, through aliases; null where it is not in the link, is interposable,
/// or does not prevail.
llvm::FunctionSummary *resolveCallee(llvm::ValueInfo Callee,
                                     llvm::StringRef CallerModule,
                                     IsPrevailing Prevailing);

} // namespace thermocline::lto

#endif
