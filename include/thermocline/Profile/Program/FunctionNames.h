//===- Program/FunctionNames.h - From GUIDs back to names -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexed profile knows functions by GUID only. The names come from the
// symbol table or the debug information of the profiled binary.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_FUNCTIONNAMES_H
#define THERMOCLINE_PROFILE_PROGRAM_FUNCTIONNAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/GlobalValue.h"
#include <string>
#include <unordered_map>

namespace thermocline::profile {

/// The name in the source of what was compiled to \p Name: without what LLVM
/// appends to versions of a function (`f.memprof.1`) and to the parts that it
/// splits a coroutine into (`f.resume`, `f.destroy`, `f.cleanup`). Those have
/// their calls at the places of the whole. What the split of a module appends
/// to local functions (Support/LocalNames.h) does not count either.
llvm::StringRef sourceName(llvm::StringRef Name);

/// The memory profile GUID of that function. A suffix that LTO appended does
/// not count either.
llvm::GlobalValue::GUID sourceGUID(llvm::StringRef Name);

/// Whether clang made \p Name, that of a local function, unique in the whole
/// link (-funique-internal-linkage-names).
bool isUniqueLocalName(llvm::StringRef Name);

/// The linkage name \p Name as people read it: demangled, without the number by
/// which clang made a local function's name unique.
std::string displayName(llvm::StringRef Name);

/// Whether \p Name, as people read it, is of the C++ library or of Rust's: its
/// allocators and containers stand between an allocation and the code that asks
/// for it.
bool isLibraryName(llvm::StringRef Name);

/// A file of debug information as people read it: "a/b/../c.h" is "a/c.h". Is
/// \p File itself without such parts.
std::string displayPath(llvm::StringRef File);

/// Where a function is in the source.
struct FunctionPlace {
  std::string File;
  /// From 1; 0 if it is not known.
  uint32_t Line = 0;
};

class FunctionNames {
public:
  /// Adds the linkage name \p Name as that of its sourceGUID. The first name of
  /// a GUID stays.
  void add(llvm::StringRef Name);

  /// Says where \p Function is. The first place stays.
  void addPlace(llvm::GlobalValue::GUID Function, FunctionPlace Place) {
    Places.try_emplace(Function, std::move(Place));
  }

  /// Adds the names of \p Other.
  void add(const FunctionNames &Other) {
    Names.insert(Other.Names.begin(), Other.Names.end());
    Places.insert(Other.Places.begin(), Other.Places.end());
  }

  /// The linkage name, or an empty string.
  llvm::StringRef lookup(llvm::GlobalValue::GUID Function) const;

  /// The name to show to users: demangled, without the number that makes the
  /// name of a local function unique, or "0x1234..." if it is unknown.
  std::string display(llvm::GlobalValue::GUID Function) const;

  /// Null if that is not known.
  const FunctionPlace *place(llvm::GlobalValue::GUID Function) const {
    auto Known = Places.find(Function);
    return Known == Places.end() ? nullptr : &Known->second;
  }

  size_t size() const { return Names.size(); }

private:
  // GUIDs that are looked up come from files, so no DenseMap: it reserves keys.
  std::unordered_map<llvm::GlobalValue::GUID, std::string> Names;
  std::unordered_map<llvm::GlobalValue::GUID, FunctionPlace> Places;
};

} // namespace thermocline::profile

#endif
