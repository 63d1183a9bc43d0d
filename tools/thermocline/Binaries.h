//===- thermocline/Binaries.h - Binaries of recorded processes --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: raw profiles know the objects of their processes by build ids, and
// merging needs the files. What was started may be a script, or a wrapper such
// as env, and each process may have loaded plugins that nothing names.
//
// Files with such a build id are looked for, each place only for what the
// places before it did not have:
//
//   1. what the user names;
//   2. each word of the command that is a file or a program;
//   3. the libraries that the programs found are linked with, as the dynamic
//      linker finds them;
//   4. LD_LIBRARY_PATH, and the directories of the programs with all below, but
//      no more than some thousands of files.
//
// Build ids are unique, so what is found is right, wherever it was. Of the
// libraries, those are taken that were built for profiles: others only bring
// frames that no call can be hinted by.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_BINARIES_H
#define THERMOCLINE_TOOLS_THERMOCLINE_BINARIES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace thermocline::front {

/// The build ids of a raw profile's objects, in small hexadecimal digits. That
/// of the program is the first. An object without one has an empty string.
/// None if the file is no raw profile, or damaged.
std::vector<std::string> objectsOf(llvm::StringRef RawProfile);

class Binaries {
public:
  /// Looks for the binaries of \p RawProfiles. \p Given: what the user names.
  static llvm::Expected<Binaries> find(llvm::ArrayRef<std::string> RawProfiles,
                                       llvm::ArrayRef<std::string> Given,
                                       llvm::ArrayRef<std::string> Command);

  /// For thermo-profdata merge: what the user named, then what was found, by
  /// name.
  const std::vector<std::string> &paths() const { return Paths; }
  /// Whether any of them has code of Rust, as far as names of symbols tell.
  bool areOfRust() const;
  /// Raw profiles of processes that have one of these, in the order given.
  const std::vector<std::string> &usable() const { return Usable; }
  /// The build ids of the programs of the others, with their number.
  const std::map<std::string, unsigned> &unknownPrograms() const {
    return Unknown;
  }

private:
  std::vector<std::string> Paths;
  std::vector<std::string> Usable;
  std::map<std::string, unsigned> Unknown;
};

} // namespace thermocline::front

#endif
