//===- Support/OutputFile.h - Files that appear whole -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: an output is to take its name only when it is whole, and yet to be
// the file that the user means. A file written under another name and renamed
// would replace a symbolic link instead of what it leads to, and lose owner and
// permissions of the file that was there.
//
//   what the name leads to                 how it is written
//   a regular file, or nothing yet         beside that, renamed at the end
//   a regular file in a directory that     elsewhere, copied into it at the
//   end, takes no new file, or of an owner      after its space was reserved
//   that a new file cannot get
//   "-", /dev/stdout, /dev/fd/N            to the descriptor
//   a device, FIFO or socket               in place
//
// A file with several hard links is parted from the other names.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_OUTPUTFILE_H
#define THERMOCLINE_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace thermocline {

/// What an output's name leads to.
struct OutputTarget {
  /// Symbolic links followed, also one to a file that is not there.
  std::string Path;
  /// The descriptor of this process that the name stands for, or -1.
  int Descriptor = -1;
  /// Stands for what a process has open, which has no other name.
  bool IsOpenFile = false;

  /// The error, of links that lead in a circle, names the file.
  static llvm::Expected<OutputTarget> of(llvm::StringRef Name);
};

class OutputFile {
public:
  /// The error, that \p Name cannot be written, names it.
  static llvm::Expected<OutputFile> create(llvm::StringRef Name);
  OutputFile(OutputFile &&Other);
  OutputFile &operator=(OutputFile &&) = delete;
  /// Leaves the file as it was, unless \c keep was called.
  ~OutputFile();

  /// Where the output is to be written meanwhile, by those who open it
  /// themselves.
  std::string path() const;
  /// The same, open for writing; owned by this object.
  llvm::Expected<int> descriptor();

  /// Puts what was written in its place. Called once, when it is all there, and
  /// its streams are flushed. The error names the file.
  llvm::Error keep();

private:
  OutputFile() = default;
  llvm::Error fail(std::error_code EC) const;
  bool takesOwner() const;
  llvm::Error copyInto(llvm::StringRef From) const;

  std::string Name;
  OutputTarget Target;
  /// None where the output is written in place.
  std::optional<llvm::sys::fs::TempFile> Temporary;
  /// Whether Temporary is in the directory of the target.
  bool IsBeside = false;
  /// Of what was there.
  std::optional<llvm::sys::fs::file_status> Before;
  /// Of what is written in place, once it was asked for.
  int InPlace = -1;
};

/// Writes \p FileName, which is left as it was if \p Write fails.
llvm::Error
writeFileAtomically(llvm::StringRef FileName,
                    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

} // namespace thermocline

#endif
