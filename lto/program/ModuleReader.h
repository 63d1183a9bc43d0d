//===- ModuleReader.h - Merged module to context program --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the context program of the regular LTO part of a link from its merged
// module, whose calls have `!callsite` and whose allocations have `!memprof`
// metadata. It changes nothing. What may not be cloned is not clonable in the
// program, so that every decision can be applied.
//
// There are no records here that a decision would need. So every function can
// have versions, even one that only passes a context on by a tail call.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_MODULEREADER_H
#define THERMOCLINE_LTO_PROGRAM_MODULEREADER_H

#include "LinkBases.h"
#include "thermocline/Annotate/Metadata/ChosenFunctions.h"
#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Apply/MatchedFunction.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Context/Decisions.h"
#include "llvm/Support/Error.h"

namespace llvm {
class GlobalValue;
class Module;
} // namespace llvm

namespace thermocline::lto {

/// The instruction of a callsite.
struct ModuleCallsite {
  llvm::CallBase *Call;
  /// The target, if this is one target of an indirect call as its value profile
  /// names it: the function, and its GUID there. Null for a direct call.
  llvm::GlobalValue *Target = nullptr;
  uint64_t GUID = 0;
};

/// A context program and what it was read from. The module owns the functions
/// and calls.
struct ModuleProgram {
  context::ContextProgram Program;
  /// The functions that resolvers of ifuncs choose from.
  annotate::ChosenFunctions Chosen;
  /// The functions. Indexed by FunctionId.
  std::vector<llvm::Function *> Functions;
  /// The callsites. Indexed by CallsiteId.
  std::vector<ModuleCallsite> Callsites;
  /// The allocations. Indexed by AllocationId.
  std::vector<llvm::CallBase *> Allocations;
  /// The bases by which the merged modules say that their contexts were
  /// classified.
  LinkBases Bases;

  bool hasContexts() const {
    return Program.numCallsites() || Program.numAllocations();
  }
};

/// Reads \p M, functions and calls in the order of the module. The error names
/// module and function: their metadata is not what it has to be. Called by
/// regular LTO's pass.
/// \p Hints is what the backend hints. \p IsRelocatable: see ReaderOptions
/// (SummaryReader.h).
llvm::Expected<ModuleProgram> readModule(llvm::Module &M,
                                         const apply::HintOptions &Hints = {},
                                         bool IsRelocatable = false);

/// The cold contexts of the allocations in \p F: FullStackId and bytes of each.
/// What cannot be read is left out. For functions that readModule() does not
/// read.
std::vector<std::pair<uint64_t, Bytes>> coldContextsOf(const llvm::Function &F);

/// What \p Decided says, by instruction: one entry for each function that has
/// versions, calls or allocations. Refers to \p Decided, and to \p Missed: what
/// to remark on, by AllocationId, or nothing.
std::vector<apply::MatchedFunction>
matchDecisions(const ModuleProgram &Read, const context::Decisions &Decided,
               llvm::ArrayRef<apply::MissedHints> Missed = {});

} // namespace thermocline::lto

#endif
