//===- Apply/ModuleRewriter.h - A module as was decided ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Once decisions are matched to instructions, ThinLTO backends and regular LTO
// do the same: make versions, redirect calls, mark allocations, strip contexts,
// lower the marks.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_APPLY_MODULEREWRITER_H
#define THERMOCLINE_APPLY_MODULEREWRITER_H

#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Apply/MatchedFunction.h"
#include "thermocline/Apply/Statistics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace thermocline::apply {

/// Makes \p M do what \p Matched says. Another module makes the versions of the
/// functions \p MadeElsewhere, although this module has bodies of them. Strips
/// `!memprof` and `!callsite`, and lowers calls marked cold, also in functions
/// that are not matched. Counts into \p Statistics. Returns whether the module
/// changed. The error names a symbol that is in the way, or a version that
/// nothing makes.
llvm::Expected<bool>
rewriteModule(llvm::Module &M, llvm::ArrayRef<MatchedFunction> Matched,
              const HintOptions &Options, ApplyStatistics &Statistics,
              llvm::ArrayRef<llvm::Function *> MadeElsewhere = {});

/// Removes all `!memprof` and `!callsite` metadata, the targets of indirect
/// calls that the heap profile named, and with \p Marks also the "memprof"
/// attributes of calls. Returns whether there was any.
bool stripContexts(llvm::Module &M, bool Marks);

} // namespace thermocline::apply

#endif
