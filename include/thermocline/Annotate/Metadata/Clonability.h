//===- Annotate/Metadata/Clonability.h - May it have versions? --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_CLONABILITY_H
#define THERMOCLINE_ANNOTATE_METADATA_CLONABILITY_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
} // namespace llvm

namespace thermocline::annotate {

/// Whether a copy of the definition \p F may be made, and called in its stead.
bool isClonable(const llvm::Function &F);

/// The same but for what a linkage says, which summaries have, and but for
/// coroutines, which ThinLTO clones when they are split.
bool isClonableBeforeLink(const llvm::Function &F);

/// Whether the inline assembly \p Text has a label of its own name, which two
/// copies of it would define twice. Numbers, and names that are made unique by
/// `%=`, are none.
bool definesSymbol(llvm::StringRef Text);

} // namespace thermocline::annotate

#endif
