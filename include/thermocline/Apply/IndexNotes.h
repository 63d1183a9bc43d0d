//===- Apply/IndexNotes.h - What an index says beyond records -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend needs more than `Clones` and `Versions`. It needs the names of
// functions that only a value profile mentions. It must know which functions of
// its module other modules call only because of a decision, and which records
// are those of a copy that is not linked. A backend in another process has
// nothing but its index for that. So these notes are in the index, for every
// backend.
//
// LLVM's format has one table of names that follows a function summary into the
// indexes of its module and of all modules that import it, and into cache keys:
// the type identifiers that the function tests. An entry can be found by the
// GUID of a function's name. LLVM never asks for such an entry, because it
// looks up only identifiers that the code of a module tests. So the notes are
// stored like this:
//
//   the name of T for the backends that have F   F "tests" T, an entry for T
//   the name by which F calls a T that
//     is local to another module         F "tests" an entry with both
//   the local T gets a name for others   T's own summary "tests" an entry
//   T is called from other modules               T's own summary "tests" T
//   the records were copied to F                 F "tests" a number, no entry
//   the link has settings for its backends       all "test" one entry
//   why contexts of F get no hint                F "tests" an entry for each
//                                                allocation and reason
//
// Which form they have, and that none is damaged, the checksum of the index
// says (lto/program/IndexChecksum.h). An index for Thermocline's backends has
// settings always, even if they say nothing, so that one that has lost its
// checksum shows.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_INDEXNOTES_H
#define THERMOCLINE_APPLY_INDEXNOTES_H

#include "thermocline/Apply/MissedHint.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include <optional>

namespace thermocline::apply {

/// Tells all backends that have \p User the name of \p Target, which may be
/// called from it. Does nothing for a local function, which has no name in the
/// whole link. Called in the thin link.
void noteName(llvm::ModuleSummaryIndex &Index, llvm::FunctionSummary &User,
              llvm::ValueInfo Target);

/// The noted name of a function or alias; empty if there is no note. The name
/// was checked: \p GUID is its hash.
llvm::StringRef notedName(const llvm::ModuleSummaryIndex &Index,
                          llvm::GlobalValue::GUID GUID);

/// Notes that other modules call \p Target, which is \p Definition or an alias
/// of it, by name. Called in the thin link.
void noteExport(llvm::FunctionSummary &Definition,
                llvm::GlobalValue::GUID Target);
bool isNotedExport(const llvm::FunctionSummary &Definition,
                   llvm::GlobalValue::GUID Target);

/// Notes that \p User may call, by \p Name, the function that records know as
/// \p Target and that is local to another module. Called in the thin link.
void noteLocalTarget(llvm::ModuleSummaryIndex &Index,
                     llvm::FunctionSummary &User,
                     llvm::GlobalValue::GUID Target, llvm::StringRef Name);

/// The name that was noted for \p User; empty if there is no note.
llvm::StringRef notedLocalTarget(const llvm::ModuleSummaryIndex &Index,
                                 const llvm::FunctionSummary &User,
                                 llvm::GlobalValue::GUID Target);

/// Notes that other modules call the local function \p Definition by \p Name.
/// Called in the thin link.
void noteLocalExport(llvm::ModuleSummaryIndex &Index,
                     llvm::FunctionSummary &Definition, llvm::StringRef Name);

/// The name by which other modules call it; empty if they do not.
llvm::StringRef notedLocalExport(const llvm::ModuleSummaryIndex &Index,
                                 const llvm::FunctionSummary &Definition);

/// Notes that \p Copy has the records of another module's definition, which
/// prevails over it. Called in the thin link.
void noteCopy(llvm::FunctionSummary &Copy);
bool isNotedCopy(const llvm::FunctionSummary &Summary);

/// Notes that pointers are compared with \p Target in some module, so that no
/// linker may fold it with another function. Called in the thin link.
void noteCompared(llvm::FunctionSummary &Target);
bool isNotedCompared(const llvm::FunctionSummary &Summary);

/// Notes \p Settings, a line of text, for the backends of all modules. Called
/// in the thin link.
void noteSettings(llvm::ModuleSummaryIndex &Index, llvm::StringRef Settings);

/// The settings that were noted; nothing if there are none.
std::optional<llvm::StringRef>
notedSettings(const llvm::ModuleSummaryIndex &Index);

/// Notes for which allocations of \p Function, in the order of their records,
/// remarks on missed hints are to be emitted. Called in the thin link.
void noteMissed(llvm::ModuleSummaryIndex &Index,
                llvm::FunctionSummary &Function,
                llvm::ArrayRef<MissedHints> Missed);

/// The missed hints that were noted: one entry for each allocation record of \p
/// Function, or none if there is no note.
std::vector<MissedHints> notedMissed(const llvm::ModuleSummaryIndex &Index,
                                     const llvm::FunctionSummary &Function);

} // namespace thermocline::apply

#endif
