//===- Program/BinaryFiles.h - Where the binaries are -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A process runs a program and libraries. The user names files, and directories
// that have some of them: a build directory, an installed tree, or a tree by
// build ids (DIR/.build-id/12/34…, with links to binaries, and 34….debug with
// their debug information). A directory is searched with all directories below
// it, but not through links to directories.
//
// Files are found by build id. Several files may have one: a stripped program,
// its debug file, a copy, a link. That which is best to symbolize with is
// taken, and those that have debug information serve the others.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_BINARYFILES_H
#define THERMOCLINE_PROFILE_PROGRAM_BINARYFILES_H

#include "thermocline/Profile/Program/ProgramReader.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace thermocline::profile {

/// What the user says of the binaries of a process.
struct BinaryOptions {
  /// Files and directories. Empty names count for nothing.
  std::vector<std::string> Binaries;
  /// Directories in which debug files may be, beside the usual ones.
  std::vector<std::string> DebugDirectories;
  /// Whether a process may have run none of them. They are then opened only
  /// when one did.
  bool MayBeUnused = false;
};

/// The program or library that is to be read for a build id.
struct ChosenBinary {
  std::string Path;
  /// Files with its debug information; empty if it has that itself.
  std::vector<std::string> DebugFiles;
};

class BinaryFiles {
public:
  /// Looks at what is \p Given. Returns an error if a file is not there, or has
  /// no build id, or if a directory has no ELF file that has one. What is there
  /// but cannot be read is a problem; it is an error if nothing else is left.
  static llvm::Expected<BinaryFiles> list(llvm::ArrayRef<std::string> Given,
                                          ProgramReader &Reader);

  /// The ELF files with a build id among \p Given, each once: the files, and
  /// what is in the directories. A file that is not there stays, for who opens
  /// it. Reads nothing but headers.
  static std::vector<std::string> expand(llvm::ArrayRef<std::string> Given);

  /// The best file with the build id \p Id; null if there is none.
  const ChosenBinary *find(llvm::ArrayRef<uint8_t> Id) const;

  /// What was given, without directories below: its name, and the build ids
  /// that it has, one if it is a file.
  struct Source {
    std::string Path;
    bool IsDirectory = false;
    std::vector<BuildId> Ids;
  };
  llvm::ArrayRef<Source> sources() const { return Sources; }
  /// Directories that were given. Debug files may be in them, too.
  std::vector<std::string> directories() const;

  /// Files that cannot be read, one sentence for each.
  llvm::ArrayRef<std::string> problems() const { return Problems; }

private:
  struct Candidate;
  void choose(llvm::ArrayRef<Candidate> All);

  std::vector<Source> Sources;
  std::map<BuildId, ChosenBinary> Chosen;
  std::vector<std::string> Problems;
};

} // namespace thermocline::profile

#endif
