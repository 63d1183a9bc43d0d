//===- Report/ExplainContext.h - One context, in words ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of Report/Explain.h that follows one context from its outermost call
// to its allocation, and functions that both parts use to write.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_REPORT_EXPLAINCONTEXT_H
#define THERMOCLINE_LIB_REPORT_EXPLAINCONTEXT_H

#include "thermocline/Report/LinkView.h"

namespace thermocline::report {

void explainContext(const LinkView &View, const PartView &Part,
                    context::ContextId C, llvm::raw_ostream &OS);

/// "2 cold contexts (3 B) and 1 not-cold context (4 B)".
std::string passageText(const Passage &P);
/// "version 1", "version 0 (the original)".
std::string versionText(uint32_t V);
/// A line for each, bytes descending.
void listContexts(const LinkView &View, llvm::ArrayRef<uint32_t> Numbers,
                  llvm::StringRef Indent, llvm::raw_ostream &OS);
/// What to do about a frame that no call has.
llvm::StringRef unmatchedAdvice();

} // namespace thermocline::report

#endif
