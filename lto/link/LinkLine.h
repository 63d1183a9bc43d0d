//===- lto/link/LinkLine.h - A linker's command line ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a word of a linker's command line is depends on the word before it:
// after "-soname", the name of a file is none of an input. Everything that
// looks at a command line therefore goes through this one walk, which knows the
// options of lld that take a value. GNU ld, gold and mold share these.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKLINE_H
#define THERMOCLINE_LTO_LINK_LINKLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace thermocline::lto {

/// An input, or an option with its value.
struct LinkArgument {
  /// The option without dashes and value; empty for an input.
  llvm::StringRef Name;
  /// The value, after "=", attached to the option, or in the next word. The
  /// path of an input.
  llvm::StringRef Value;
  /// Whether an option was given with a value.
  bool HasValue = false;
  /// Whether an option takes a value and is the last word, without one.
  bool LacksValue = false;
  /// Its one or two words.
  llvm::ArrayRef<const char *> Words;

  bool isInput() const { return Name.empty(); }
  bool isAny(llvm::ArrayRef<llvm::StringRef> Names) const {
    return llvm::is_contained(Names, Name);
  }
};

/// \p Words are without the program, response files expanded, and must outlive
/// the result. \p WithValue names options of ours that take a value, beside
/// those of linkers.
std::vector<LinkArgument>
readLinkLine(llvm::ArrayRef<const char *> Words,
             llvm::ArrayRef<llvm::StringRef> WithValue = {});

} // namespace thermocline::lto

#endif
