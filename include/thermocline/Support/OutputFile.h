//===- Support/OutputFile.h - Files that appear whole -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: an output is to take its name only when it is complete. But it is
// also to be the file that the user means: a file that is written under another
// name and then renamed would replace a symbolic link instead of what it leads
// to, and would lose owner and permissions of the existing file. So it depends
// on the target how an output is written:
//
//   what the name leads to                 how it is written
//   a regular file, or nothing yet         beside that, renamed at the end
//   a regular file in a directory that     elsewhere, copied into it at the
//   end, takes no new file, or of an owner      after its space was reserved
//   that a new file cannot get
//   "-", /dev/stdout, /dev/fd/N            to the descriptor
//   a device, FIFO or socket               in place
//
// A file with several hard links is separated from its other names.
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
  /// The path after following symbolic links, even if the last one leads to a
  /// file that does not exist.
  std::string Path;
  /// The descriptor of this process that the name stands for, or -1.
  int Descriptor = -1;
  /// Whether the name stands for something that a process has open, which has
  /// no other name.
  bool IsOpenFile = false;

  /// Finds what \p Name leads to. Symbolic links in a circle are an error that
  /// names the file.
  static llvm::Expected<OutputTarget> of(llvm::StringRef Name);
};

class OutputFile {
public:
  /// Creates the output \p Name. If it cannot be written, the error names it.
  static llvm::Expected<OutputFile> create(llvm::StringRef Name);
  OutputFile(OutputFile &&Other);
  OutputFile &operator=(OutputFile &&) = delete;
  /// Leaves the existing file as it was, unless \c keep was called.
  ~OutputFile();

  /// The path to write the output to until then, for code that opens it itself.
  std::string path() const;
  /// A descriptor of that file, open for writing; owned by this object.
  llvm::Expected<int> descriptor();

  /// Puts the output in its place. Called once, when everything is written and
  /// its streams are flushed. The error names the file.
  llvm::Error keep();

private:
  OutputFile() = default;
  llvm::Error fail(std::error_code EC) const;
  bool takesOwner() const;
  llvm::Error copyInto(llvm::StringRef Source) const;

  std::string Name;
  OutputTarget Target;
  /// The temporary file; none if the output is written in place.
  std::optional<llvm::sys::fs::TempFile> Temporary;
  /// Whether Temporary is in the directory of the target.
  bool IsBeside = false;
  /// Status of the file that was there before.
  std::optional<llvm::sys::fs::file_status> Before;
  /// Descriptor of an output that is written in place, once it was asked for;
  /// else -1.
  int InPlace = -1;
};

/// Writes \p FileName by \p Write. The file is left as it was if \p Write
/// fails.
llvm::Error
writeFileAtomically(llvm::StringRef FileName,
                    llvm::function_ref<llvm::Error(llvm::raw_ostream &)> Write);

} // namespace thermocline

#endif
