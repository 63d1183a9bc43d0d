//===- Annotate/WholeContexts.h - That an annotation is complete -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Clang's own annotation leaves out contexts that are not cold, where the rest
// tells how deep a linker needs to look: what it does not list is not to be
// cold. Thermocline's lists every context, whole, so that the link is free in
// what is not listed. The link must know which it has: each MIB of ours ends
// with a full context that no profile has, id 1 of 0 bytes, which adds nothing
// to any sum. (LLVM's readers drop id 0.)
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_WHOLECONTEXTS_H
#define THERMOCLINE_ANNOTATE_WHOLECONTEXTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/ModuleSummaryIndex.h"

namespace thermocline::annotate {

inline constexpr llvm::ContextTotalSize WholeContextMark = {1, 0};

/// Whether the full contexts that a MIB names, with their bytes, say that its
/// allocation lists all contexts.
inline bool isOfWholeContexts(llvm::ArrayRef<llvm::ContextTotalSize> Named) {
  return Named.size() > 1 &&
         Named.back().FullStackId == WholeContextMark.FullStackId &&
         Named.back().TotalSize == WholeContextMark.TotalSize;
}

} // namespace thermocline::annotate

#endif
