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
// A copy of a function that is compiled for inlining only
// (available_externally, or of an inline function that prevails elsewhere) must
// do as its original was decided to. If its records cannot be found or do not
// match, its body is dropped or not inlined, which is always right: the
// original is called.
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
/// `!callsite`. Functions that \p Index says to be called from elsewhere
/// because of a decision are visible to the link afterwards. \p Missed is what
/// the link that decided knows besides; where it is empty, what is noted in the
/// index counts. Counts into \p Statistics. Returns whether the module changed.
/// Called by the backend's pass; backends run in parallel, each on its module.
llvm::Expected<bool> applyDecisions(llvm::Module &M,
                                    const llvm::ModuleSummaryIndex &Index,
                                    const HintOptions &Options,
                                    const MissedBySummary &Missed,
                                    ApplyStatistics &Statistics);

} // namespace thermocline::apply

#endif
