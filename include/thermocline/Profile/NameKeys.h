//===- Profile/NameKeys.h - Names that outlive an edit ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: the linkage name of a function changes with each type of a
// parameter, and with each release of a library that keeps its version in an
// inline namespace (json_abi_v3_11_2, lts_20240116, __1) or in ABI tags. The
// source calls it as before.
//
// So keys are made of the demangled name. What looks like a version is left
// out, wherever a name may have it: parts that are a number, or end with one
// behind `v` or `_`. That may make one of two names that differ (of classes
// Pool_1 and Pool_2). So equal keys do not prove that two functions are one.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_NAMEKEYS_H
#define THERMOCLINE_PROFILE_NAMEKEYS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

/// What stays of a function's name when its signature, or the version of a
/// namespace, changes.
struct NameKeys {
  /// A hash of the name without versions; 0 if it is not mangled.
  uint32_t Versionless = 0;
  /// A hash of the name without versions and parameters; 0 if it is not
  /// mangled.
  uint32_t Base = 0;
  /// Hashes of the words of its last part, such as "make" and "note" of
  /// makeNote and make_note; sorted, none twice. For a function that is
  /// local to a file also those that addPath() adds.
  std::vector<uint16_t> Words = {};

  /// Adds words for the source file \p Path of the module that has the local
  /// function: its name, its name with the directory that it is in, with that
  /// one's, and so on. So two files share the more words the longer the ends
  /// of their paths are the same.
  void addPath(llvm::StringRef Path);

  /// The keys of the linkage name \p Name.
  static NameKeys of(llvm::StringRef Name);

  auto operator<=>(const NameKeys &) const = default;
};

/// The name that source has for the function \p LinkageName, without scopes,
/// parameters and template arguments: "make", "operator new".
std::string plainName(llvm::StringRef LinkageName);

/// \p Demangled without the parts of names that are versions, and without ABI
/// tags.
std::string withoutVersions(llvm::StringRef Demangled);

} // namespace thermocline::profile

#endif
