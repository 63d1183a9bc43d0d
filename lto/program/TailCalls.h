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

} // namespace thermocline::lto

#endif
