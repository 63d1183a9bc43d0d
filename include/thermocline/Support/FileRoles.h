//===- Support/FileRoles.h - No output onto another file --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a command writes must not be what it reads, nor what else it writes. All
// files that it names are entered here before it writes any. A file is known by
// device and inode, so that links of both kinds and other spellings of its path
// are seen through; one that is not there yet, by where it will be.
//
// Standard output and devices may have several roles.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_FILEROLES_H
#define THERMOCLINE_SUPPORT_FILEROLES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline {

class FileRoles {
public:
  /// Enters a file that is to stay as it is, or that others write. \p Role is
  /// how messages name it: "an input", "the file of --binary". An empty path is
  /// none.
  void uses(llvm::StringRef Path, const llvm::Twine &Role = "an input");

  /// Enters a file that the command writes. \p Role as above.
  void writes(llvm::StringRef Path, const llvm::Twine &Role = "the output");

  /// Enters the response files that \p Arguments name, and those that these do:
  /// the words "@FILE".
  void usesResponseFiles(llvm::ArrayRef<const char *> Arguments);

  /// Enters the file that \p Word of another program's command line names, as
  /// a whole, after a "=" or after the letter of an option, if the command
  /// writes this file: to be called after \c writes. \p Directory: what the
  /// path may be relative to beside the current one; may be empty.
  void usesWord(llvm::StringRef Word, llvm::StringRef Directory,
                const llvm::Twine &Role);

  /// The same for each word of the script \p Text.
  void usesWords(llvm::StringRef Text, llvm::StringRef Directory,
                 const llvm::Twine &Role);

  /// Those of \p Paths that lead to the file of one before, each file once.
  static std::vector<std::string> givenTwice(llvm::ArrayRef<std::string> Paths);

  bool anyWritten() const { return !Written.empty(); }

  /// Whether an ELF file is where the command writes: to list the files that
  /// debug information names takes time, and is needed only then.
  bool writesOntoElf() const;

  /// The error names the first file that is written and has another role, or
  /// that cannot be written for want of a directory.
  llvm::Error check() const;

private:
  struct Entry {
    std::string Path, Role, Identity;
  };

  /// Empty for what may have several roles.
  static std::string identityOf(llvm::StringRef Path);
  bool usesIfWritten(llvm::StringRef Path, const llvm::Twine &Role);

  std::vector<Entry> Written;
  /// By identity, the position of the first in Written.
  llvm::StringMap<size_t> FirstWritten;
  /// By identity, the first of each.
  llvm::StringMap<Entry> Used;
};

} // namespace thermocline

#endif
