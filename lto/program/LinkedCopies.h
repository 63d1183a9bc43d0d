//===- program/LinkedCopies.h - Copies without the profile ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the copies of an inline function the linker takes the first. If that is of
// a module without the profile, what it allocates is in no context of the link,
// and contexts through it end at its calls. The other copies are dropped, so
// that no call reaches two different ones. LLVM keeps no records of them in the
// index, so that only the backends that compile them can tell why.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PROGRAM_LINKEDCOPIES_H
#define THERMOCLINE_LTO_PROGRAM_LINKEDCOPIES_H

#include "thermocline/Support/Units.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class Module;
class ModuleSummaryIndex;
} // namespace llvm

namespace thermocline::lto {

/// What a copy with the profile has, of a function of which another is linked.
struct CopyWithoutProfile {
  /// The modules of the copy that is linked, and of one with the profile.
  std::string Linked, Profiled;
  /// The calls that contexts through it have, by their innermost stack ids.
  std::vector<uint64_t> Calls;
  /// The cold contexts of its allocations: FullStackId and bytes of each.
  std::vector<std::pair<uint64_t, Bytes>> Cold;
};

/// By the name of the function.
using CopiesWithoutProfile = std::map<std::string, CopyWithoutProfile>;

/// Adds the copies in \p M, which a backend is about to compile by \p Index.
/// Of several with the profile that of the module counts whose name is first.
void addCopies(const llvm::Module &M, const llvm::ModuleSummaryIndex &Index,
               CopiesWithoutProfile &Copies);

} // namespace thermocline::lto

#endif
