//===- Support/LocalNames.h - Names of local functions ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where clang splits a module into two (-fsplit-lto-unit, as for CFI and
// -fwhole-program-vtables), a local function that both parts refer to becomes a
// global one, last of all that happens in the compile. So that it stays apart
// from others, an MD5 of all that the module exports is put behind its name:
// f.0123456789abcdef0123456789abcdef. What was noted of it before, and value
// profiles, know it by the name that it had.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_LOCALNAMES_H
#define THERMOCLINE_SUPPORT_LOCALNAMES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace thermocline {

/// \p Name without what the split of its module put behind it; \p Name itself
/// if nothing was.
inline llvm::StringRef nameBeforeSplit(llvm::StringRef Name) {
  constexpr size_t Digits = 32;
  auto [Before, Hash] = Name.rsplit('.');
  const bool IsHash = Hash.size() == Digits && llvm::all_of(Hash, [](char C) {
                        return llvm::isDigit(C) || (C >= 'a' && C <= 'f');
                      });
  return IsHash ? Before : Name;
}

} // namespace thermocline

#endif
