//===- Metadata/NotedNames.h - Functions in notes ---------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes for the link tell of functions by their names. LLVM's GUIDs would not
// do for local ones: they have the name of the module in them, and become
// others where tools merge modules (llvm-link), or make functions local
// (internalize).
//
// A tool may also take the names of local functions (opt -passes=strip), and
// LLVM gives them others then. Whatever the notes tell of some function, they
// may tell of such a one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ANNOTATE_METADATA_NOTEDNAMES_H
#define THERMOCLINE_ANNOTATE_METADATA_NOTEDNAMES_H

#include "thermocline/Support/LocalNames.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/Support/xxhash.h"

namespace thermocline::annotate {

/// By what notes know a function of this name.
inline uint64_t notedNameOf(llvm::StringRef Name) {
  return llvm::xxh3_64bits(
      nameBeforeSplit(llvm::GlobalValue::dropLLVMManglingEscape(Name)));
}

/// Whether the function of this name has lost the one that it was compiled
/// with: it has none, or one by LLVM's pass NameAnonGlobals.
inline bool isNameless(llvm::StringRef Name) {
  return Name.empty() || Name.starts_with("anon.");
}

} // namespace thermocline::annotate

#endif
