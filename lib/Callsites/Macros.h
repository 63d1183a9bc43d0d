//===- Callsites/Macros.h - What the macros of a file stand for -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a statement that stays as it is may mean something else, because a
// macro in it was defined anew: `SLOT = make(n);`.
//
// So the definitions are read that a file has, and those of the files that it
// includes in quotes, where these are found: beside it, in a folder above, or
// in a folder `include` there. Conditional parts all count. Of a name that is
// defined several times, so does what they ask, and the order. Other headers
// are not looked for: they are of the system, or only the compiler knows where
// they are.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_MACROS_H
#define THERMOCLINE_LIB_CALLSITES_MACROS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace thermocline::callsites {

class Macros {
public:
  /// A file, and what it includes: numbers of files.
  using Scope = llvm::BitVector;

  /// Each file is read once.
  const Scope &scopeOf(llvm::StringRef Path);

  /// Adds to \p To a hash for the macro \p Word, if it is defined in \p In, and
  /// for each that its definitions use: of all tokens but sizes.
  void addUsed(llvm::StringRef Word, const Scope &In,
               std::set<uint16_t> &To) const;

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> Text;
    std::vector<unsigned> Includes;
  };
  struct Definition {
    unsigned File;
    /// Of what it is; empty, and IsGone, where it ends.
    llvm::StringRef Body;
    bool IsGone;
    /// What `#if` and the like ask around it, but for the guard of a header.
    std::string Conditions;
  };
  /// What is open of conditional parts.
  struct Conditional {
    std::string Asks;
    /// Of `#ifndef`, what is to be defined next if it guards a header.
    llvm::StringRef Guard;
  };
  unsigned numberOf(llvm::StringRef Path);
  static void readConditional(llvm::StringRef Line,
                              std::vector<Conditional> &Open);
  void readDefinition(llvm::StringRef Line, unsigned Number, bool IsGone,
                      std::vector<Conditional> &Open);
  void addAsked(llvm::StringRef Conditions, const Scope &In,
                std::set<uint16_t> &To, llvm::StringSet<> &Seen) const;
  void read(unsigned Number);
  void addUsed(llvm::StringRef Word, const Scope &In, std::set<uint16_t> &To,
               llvm::StringSet<> &Seen) const;

  /// By number, the paths of files, and those that were read.
  std::vector<std::string> Paths;
  std::vector<std::optional<File>> Files;
  llvm::StringMap<unsigned> Numbers;
  /// By name, in the order of the files and in them.
  llvm::StringMap<std::vector<Definition>> Definitions;
  llvm::StringMap<Scope> Scopes;
};

} // namespace thermocline::callsites

#endif
