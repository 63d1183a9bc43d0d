//===- Metadata/ChosenFunctions.h - Chosen when the program starts *- C++ -*-=//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of an ifunc, such as one with target_clones, reaches one of several
// functions that its resolver chooses from. A context has a frame of the chosen
// one, and nothing in the link calls that by its name. A pointer to the ifunc
// is none to the function either, so that no comparison finds it.
//
// ThinLTO's summaries do not have ifuncs. So a module with any tells which
// functions their resolvers refer to, in a note (PackedCarrier.h): a count, and
// the GUIDs of their names, ascending.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_CHOSENFUNCTIONS_H
#define THERMOCLINE_ANNOTATE_METADATA_CHOSENFUNCTIONS_H

#include "thermocline/Support/LocalNames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <set>

namespace llvm {
class Module;
} // namespace llvm

namespace thermocline::annotate {

/// GUIDs of the names of functions that a resolver may choose.
class ChosenFunctions {
public:
  ChosenFunctions() = default;
  /// Takes the functions that \p M's own resolvers may choose.
  explicit ChosenFunctions(const llvm::Module &M);

  /// Adds those in the name of a variable, if it holds any. Returns an error if
  /// it is damaged.
  llvm::Error addIn(llvm::StringRef Name);
  /// Notes these in \p M for the thin link.
  void note(llvm::Module &M) const;

  bool empty() const { return GUIDs.empty(); }
  const std::set<uint64_t> &guids() const { return GUIDs; }
  bool contains(llvm::StringRef Name) const {
    return !GUIDs.empty() &&
           GUIDs.contains(llvm::GlobalValue::getGUIDAssumingExternalLinkage(
               nameBeforeSplit(Name)));
  }

private:
  std::set<uint64_t> GUIDs;
};

} // namespace thermocline::annotate

#endif
