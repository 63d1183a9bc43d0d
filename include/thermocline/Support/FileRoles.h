//===- Support/FileRoles.h - No output onto another file --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A command must not write onto a file that it reads, or two outputs onto one
// file. All files that it names are entered here before it writes any. A file
// is identified by device and inode, so that links of both kinds and other
// spellings of its path are recognized. A file that does not exist yet is
// identified by where it will be.
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
  /// ignored.
  void uses(llvm::StringRef Path, const llvm::Twine &Role = "an input");

  /// Enters a file that the command writes. \p Role is how messages name it.
  void writes(llvm::StringRef Path, const llvm::Twine &Role = "the output");

  /// Enters the response files that \p Arguments name by words "@FILE", and
  /// those that these files name.
  void usesResponseFiles(llvm::ArrayRef<const char *> Arguments);

  /// Enters the file that \p Word of another program's command line names, as a
  /// whole, after a "=", or after the letter of an option, if the command
  /// writes this file. Must be called after \c writes. \p Directory is another
  /// directory that the path may be relative to, beside the current one; it may
  /// be empty.
  void usesWord(llvm::StringRef Word, llvm::StringRef Directory,
                const llvm::Twine &Role);

  /// Does the same for each word of the script \p Text.
  void usesWords(llvm::StringRef Text, llvm::StringRef Directory,
                 const llvm::Twine &Role);

  /// The members of \p Paths that lead to the same file as an earlier one, each
  /// file once.
  static std::vector<std::string> givenTwice(llvm::ArrayRef<std::string> Paths);

  bool anyWritten() const { return !Written.empty(); }

  /// Whether the command writes onto an existing ELF file. Listing the files
  /// that debug information names takes time, and is needed only then.
  bool writesOntoElf() const;

  /// Returns an error that names the first file that is written and has another
  /// role, or that cannot be written because a directory is missing.
  llvm::Error check() const;

private:
  struct Entry {
    std::string Path, Role, Identity;
  };

  /// The identity of a file; empty for what may have several roles.
  static std::string identityOf(llvm::StringRef Path);
  bool usesIfWritten(llvm::StringRef Path, const llvm::Twine &Role);

  std::vector<Entry> Written;
  /// The position in Written of the first file with this identity.
  llvm::StringMap<size_t> FirstWritten;
  /// The first entry of each identity.
  llvm::StringMap<Entry> Used;
};

} // namespace thermocline

#endif
