//===- Callsites/Values.h - What a variable was set to ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a call is for may depend on what a variable in its statement stands for:
//
//   char **To = Grid;
//   To[i] = make(n);
//
// So what such a variable is set to in front of the call counts as well: by the
// last statement that is always run before it, and by those in between.
// Counters of loops do not, nor do numbers that only tell how much.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_VALUES_H
#define THERMOCLINE_LIB_CALLSITES_VALUES_H

#include "thermocline/Callsites/SourceTokens.h"
#include <cstdint>
#include <set>

namespace thermocline::callsites {

/// Adds to \p To hashes of the values that those of \p Variables which are
/// declared in the function of the call, the token \p At, may have there.
void addValues(const SourceTokens &File, uint32_t At,
               const std::set<llvm::StringRef> &Variables,
               std::set<uint16_t> &To);

} // namespace thermocline::callsites

#endif
