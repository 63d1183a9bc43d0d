//===- Apply/IndexNotes.h - What an index says beyond records -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend needs more than `Clones` and `Versions`: the names of functions
// that only a value profile mentions, which functions of its module others call
// because of a decision alone, and which records are of a copy that is not the
// one linked. A backend in another process has nothing but its index for that,
// so the index it is for every backend.
//
// LLVM's format has one table of names that goes where a function summary goes,
// into the indexes of its module and of all that import it, and into cache
// keys: the type identifiers that it tests. An entry for the name of a function
// is found by the function's GUID, and is asked for by nothing in LLVM, which
// looks up the identifiers that the code of a module tests. So:
//
//   the name of T for the backends that have F   F "tests" T, an entry for T
//   T is called from other modules               T's own summary "tests" T
//   the records were copied to F                 F "tests" a number, no entry
//   the link has settings for its backends       all "test" one entry
//   why contexts of F get no hint                F "tests" an entry for each
//                                                allocation and reason
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_INDEXNOTES_H
#define THERMOCLINE_APPLY_INDEXNOTES_H

#include "thermocline/Apply/MissedHint.h"
#include "llvm/IR/ModuleSummaryIndex.h"

namespace thermocline::apply {

/// Tells all backends that have \p User what \p Target is called, which may be
/// called from it. Does nothing for a function that has no name in the whole
/// link, a local one. Called in the thin link.
void noteName(llvm::ModuleSummaryIndex &Index, llvm::FunctionSummary &User,
              llvm::ValueInfo Target);

/// The name of a function or alias as noted; empty without a note. It was
/// checked by \p GUID, being its hash.
llvm::StringRef notedName(const llvm::ModuleSummaryIndex &Index,
                          llvm::GlobalValue::GUID GUID);

/// Notes that other modules call \p Target, which is \p Definition or an alias
/// of it, by name. Called in the thin link.
void noteExport(llvm::FunctionSummary &Definition,
                llvm::GlobalValue::GUID Target);
bool isNotedExport(const llvm::FunctionSummary &Definition,
                   llvm::GlobalValue::GUID Target);

/// Notes that \p Copy has the records of another module's definition, which
/// prevails over it. Called in the thin link.
void noteCopy(llvm::FunctionSummary &Copy);
bool isNotedCopy(const llvm::FunctionSummary &Summary);

/// Notes \p Settings, a line of text, for the backends of all modules. Called
/// in the thin link.
void noteSettings(llvm::ModuleSummaryIndex &Index, llvm::StringRef Settings);

/// What was noted; empty without.
llvm::StringRef notedSettings(const llvm::ModuleSummaryIndex &Index);

/// Notes what is to be remarked on allocations of \p Function, by their
/// records. Called in the thin link.
void noteMissed(llvm::ModuleSummaryIndex &Index,
                llvm::FunctionSummary &Function,
                llvm::ArrayRef<MissedHints> Missed);

/// What was noted, as many as \p Function has records of allocations; empty
/// without a note.
std::vector<MissedHints> notedMissed(const llvm::ModuleSummaryIndex &Index,
                                     const llvm::FunctionSummary &Function);

} // namespace thermocline::apply

#endif
