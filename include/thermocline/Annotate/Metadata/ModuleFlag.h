//===- Annotate/Metadata/ModuleFlag.h - Was there a profile? ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that was compiled with a heap profile says so in a module flag, and
// whether any of its allocations matched. So the link can tell a profile of
// another program from none: either leaves no contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_MODULEFLAG_H
#define THERMOCLINE_ANNOTATE_METADATA_MODULEFLAG_H

#include <optional>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Notes in \p M that a profile was at hand and whether anything \p Matched.
/// When modules are merged, one match counts for all.
void setMatchedProfile(llvm::Module &M, bool Matched);

/// What setMatchedProfile noted; nothing for a module without a profile.
std::optional<bool> matchedProfile(const llvm::Module &M);

} // namespace thermocline::annotate

#endif
