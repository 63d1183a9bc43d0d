//===- lto/program/SummaryReader.h - Index to context program ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the context program of a ThinLTO link from its combined module summary
// index. LLVM's ModuleSummaryAnalysis defines what a record means. The linker
// defines which copy of a function counts, which `isPrevailing` tells.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_SUMMARYREADER_H
#define THERMOCLINE_LTO_PROGRAM_SUMMARYREADER_H

#include "LinkBases.h"
#include "Prevailing.h"
#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <unordered_set>

namespace llvm {
class BitcodeModule;
} // namespace llvm

namespace thermocline::lto {

struct ReaderOptions {
  /// Whether the backends call a version through an indirect call where the
  /// decisions say so. Thermocline's do always. Without, a record of a function
  /// that also calls indirectly may be of a target in the value profile of an
  /// indirect call; where the summary allows for it, the call counts as
  /// indirect.
  bool PromotesIndirectCalls = true;
  /// What the backends hint.
  apply::HintOptions Hints = {};
  /// Whether what is linked is an object (-r), which a later link may put
  /// beside others with copies of the same functions.
  bool IsRelocatable = false;
};

/// A context program and the records that it was read from. Callsite i of
/// function f is record i of callsites() of Functions[f]; likewise allocations
/// and allocs(). Callsites without stack ids come last, and have no record yet.
struct SummaryProgram {
  context::ContextProgram Program;
  /// What the tail calls call, of callsites without stack ids.
  llvm::DenseMap<context::CallsiteId, llvm::ValueInfo> TailCallees;
  /// The bases by which its modules say that their contexts were classified.
  LinkBases Bases;
  /// What is wrong with notes and packed contexts that cannot be read, which
  /// are left out.
  std::vector<std::string> Damaged;
  /// Hashes (xxh3) of the names of notes (PackedCarrier.h).
  std::unordered_set<uint64_t> Notes;
  /// The functions that resolvers of ifuncs choose from.
  annotate::ChosenFunctions Chosen;
  /// The summaries of the functions, which the index owns. Indexed by
  /// FunctionId.
  std::vector<llvm::FunctionSummary *> Functions;

  bool hasRecords() const {
    return Program.numCallsites() || Program.numAllocations();
  }
};

/// Calls \p Visit with the hashes of all notes that \p Module has in its
/// metadata, whatever its summary still has. Reads no code.
llvm::Error forEachNoteIn(llvm::BitcodeModule &Module,
                          llvm::function_ref<void(uint64_t)> Visit);

/// What is to be said of notes that are in modules and in no summary.
std::string describeLostNotes(size_t Lost);

/// Reads the records of all live prevailing functions of \p Index, in the order
/// of GUIDs and then of modules. Called by the thin link and by the audit.
SummaryProgram readSummary(const llvm::ModuleSummaryIndex &Index,
                           IsPrevailing Prevailing,
                           const ReaderOptions &Options = {});

} // namespace thermocline::lto

#endif
