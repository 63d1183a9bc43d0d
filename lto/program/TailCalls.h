//===- lto/program/TailCalls.h - Calls that leave no frame ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tail call leaves no frame in a context, and clang gives it no record. If
// the link knows of a tail call that a context may have run through, the
// context program gets a callsite without stack ids. If the decisions want
// another version there, the index gets a record without stack ids. This is
// LLVM's form: backends match such a record to the tail calls of its callee
// that have no metadata.
//
// Most tail calls of a program are on no context. Only those are found that lie
// on a chain of at most five, LLVM's limit, from the callee of some record to a
// function with records. Tail calls on a cycle are left out: it is not known
// how often a run went round, so no chain through them is the only one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_TAILCALLS_H
#define THERMOCLINE_LTO_PROGRAM_TAILCALLS_H

#include "Prevailing.h"
#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace thermocline::lto {

/// All tail calls of one function to one callee.
struct TailCall {
  llvm::ValueInfo CallerInfo;
  llvm::FunctionSummary *Caller;
  /// The callee as the call names it, perhaps by an alias.
  llvm::ValueInfo CalleeInfo;
  llvm::FunctionSummary *Callee;
};

using SummarySet = llvm::SetVector<llvm::FunctionSummary *>;

/// The tail calls of \p Index on chains from one of \p From to one of \p To, in
/// the order of the index.
std::vector<TailCall> findTailCalls(const llvm::ModuleSummaryIndex &Index,
                                    IsPrevailing Prevailing,
                                    const SummarySet &From,
                                    const SummarySet &To);

/// Marks the callsites of \p Program whose callee tail calls through pointers
/// may enter again, in the middle of contexts that list the callsite
/// (Callsite::MayEnterAgain). \p Leaves says whether a tail call through a
/// pointer leaves a function, or those of functions that its own lead to, and
/// \p IsShared of a callsite through a pointer whether tail calls lead to what
/// it calls.
void markEnteredAgain(context::ContextProgram &Program,
                      llvm::function_ref<bool(context::FunctionId)> Leaves,
                      llvm::function_ref<bool(context::CallsiteId)> IsShared);

/// \p Roots, and all that \p Next leads to from there.
template <typename Function>
llvm::DenseSet<Function> reachedFrom(
    llvm::ArrayRef<Function> Roots,
    const llvm::DenseMap<Function, llvm::SmallVector<Function, 2>> &Next) {
  llvm::DenseSet<Function> Result;
  llvm::SmallVector<Function, 16> Worklist(Roots);
  while (!Worklist.empty()) {
    Function F = Worklist.pop_back_val();
    if (!Result.insert(F).second)
      continue;
    if (auto Found = Next.find(F); Found != Next.end())
      llvm::append_range(Worklist, Found->second);
  }
  return Result;
}

} // namespace thermocline::lto

#endif
