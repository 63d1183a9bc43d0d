//===- lto/program/Prevailing.h - Which copy is linked ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the copies of a function in a link, one prevails, as the linker decides.
// This says which one, and which one a call reaches.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_PREVAILING_H
#define THERMOCLINE_LTO_PROGRAM_PREVAILING_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <cstdint>

namespace thermocline::lto {

/// Asks the linker.
using IsPrevailing = llvm::function_ref<bool(llvm::GlobalValue::GUID,
                                             const llvm::GlobalValueSummary *)>;

/// Whether \p S, of the function \p GUID, is the one that is linked.
bool counts(const llvm::ModuleSummaryIndex &Index, llvm::GlobalValue::GUID GUID,
            const llvm::FunctionSummary &S, IsPrevailing Prevailing);

/// The function summary that calls of \p Callee from module \p CallerModule
/// reach, through aliases; null where it is not in the link, is interposable,
/// or does not prevail.
llvm::FunctionSummary *resolveCallee(llvm::ValueInfo Callee,
                                     llvm::StringRef CallerModule,
                                     IsPrevailing Prevailing);

/// Lets \p Index know local functions that were made global to split their
/// modules (Support/LocalNames.h) by the names that profiles have of them.
/// Called before anything else here is.
void noteNamesBeforeSplit(llvm::ModuleSummaryIndex &Index);

/// What a record or edge of a call in \p Index stands for: \p Callee itself, or
/// the function that is or was local, which profiles know by the name alone.
/// Calls through pointers reach such functions in other modules, too.
llvm::ValueInfo namedByProfile(const llvm::ModuleSummaryIndex &Index,
                               llvm::ValueInfo Callee);

/// As resolveCallee, for a record of function \p Caller, which may be that of
/// an indirect call. So the result may be local to another module, if its name
/// is unique in the link.
llvm::FunctionSummary *resolveTarget(const llvm::ModuleSummaryIndex &Index,
                                     llvm::ValueInfo Callee,
                                     const llvm::FunctionSummary &Caller,
                                     IsPrevailing Prevailing);

/// Whether \p Callee, which is none of the caller's module, is known to be a
/// local function of another one. Then a record of it is that of an indirect
/// call.
bool isLocalElsewhere(const llvm::ModuleSummaryIndex &Index,
                      llvm::ValueInfo Callee);

/// The instructions of all live prevailing functions, with a profile or not.
uint64_t countInstructions(const llvm::ModuleSummaryIndex &Index,
                           IsPrevailing Prevailing);

} // namespace thermocline::lto

#endif
