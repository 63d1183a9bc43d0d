//===- Callsites/Sinks.h - Where a local variable goes ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: `char *p = make(n);` says nothing of what the memory is for. A later
// statement of the same block does, which stands on a line of its own and may
// be edited alone:
//
//   Grid[i] = p;                 it is stored in a place
//   Items.push_back(move(p));    an object takes it
//   return p;                    the caller has it
//
// Each is one hash: of the place, or of the object. What plain functions do
// with it, their names do not tell.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_SINKS_H
#define THERMOCLINE_LIB_CALLSITES_SINKS_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace thermocline::callsites {

/// Where \p Variable, which the statement \p Of of \p File sets, goes behind
/// it, until it is set again: sorted, none twice.
std::vector<uint16_t> sinksOf(const SourceTokens &File, uint32_t Of,
                              llvm::StringRef Variable);

} // namespace thermocline::callsites

#endif
