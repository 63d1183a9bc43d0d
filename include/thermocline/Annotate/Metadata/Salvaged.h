//===- Metadata/Salvaged.h - What was found in edited source ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A link says how much of the profile was found where it has it, and how much
// in source that was edited since (Annotate/Edits). A module with calls of the
// latter kind tells their stack ids, and the ids of contexts whose allocation
// is one of them, in the name of a variable, as packed contexts travel
// (PackedCarrier.h): "thermocline.salvaged.", and 16 hexadecimal digits for
// each. Regular LTO, which drops the variable, finds the name in metadata of
// the module that is called so.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_SALVAGED_H
#define THERMOCLINE_ANNOTATE_METADATA_SALVAGED_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// Notes \p Ids in \p M.
void noteSalvaged(llvm::Module &M, const std::set<uint64_t> &Ids);

/// Adds the ids in the name of a variable to \p Ids, if it holds any.
void addSalvagedIn(llvm::StringRef Name, std::set<uint64_t> &Ids);

/// Adds those of all modules that \p M was merged of.
void addSalvagedIn(const llvm::Module &M, std::set<uint64_t> &Ids);

} // namespace thermocline::annotate

#endif
