//===- Apply/ApplyDecisions.h - A module as the index decided - -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The Apply stage of one ThinLTO backend: match records to calls, then rewrite
// the module (Apply/ModuleRewriter.h). Everything is matched before anything is
// changed, so that a mismatch leaves the module as it was.
//
// Some copies of a function are compiled for inlining only: those that are
// available_externally, and inline functions that prevail elsewhere. Such a
// copy must do what was decided for its original. If its records cannot be
// found or do not match, its body is dropped or not inlined. This is always
// right, because then the original is called.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_APPLYDECISIONS_H
#define THERMOCLINE_APPLY_APPLYDECISIONS_H

#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Apply/MissedHint.h"
#include "thermocline/Apply/Statistics.h"
#include "llvm/IR/ModuleSummaryIndex.h"
#include "llvm/Support/Error.h"

namespace thermocline::apply {

/// Applies the decisions of \p Index to \p M and strips `!memprof` and
/// `!callsite`. Functions that are called from elsewhere because of a decision,
/// as \p Index says, are visible to the link afterwards. \p Missed says which
/// cold contexts get no hint, and why; if it is empty, the notes in the index
/// are used. Counts into \p Statistics. Returns whether the module changed.
/// Called by the backend's pass. Backends run in parallel, each on its own
/// module.
llvm::Expected<bool> applyDecisions(llvm::Module &M,
                                    const llvm::ModuleSummaryIndex &Index,
                                    const HintOptions &Options,
                                    const MissedBySummary &Missed,
                                    ApplyStatistics &Statistics);

} // namespace thermocline::apply

#endif
