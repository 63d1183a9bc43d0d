//===- Support/Errors.h - Errors with file and record -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every error that input can cause is an llvm::Error that says which file and
// which record of it; it travels to main, which prints it once and exits 1.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_ERRORS_H
#define THERMOCLINE_SUPPORT_ERRORS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace thermocline {

/// The error "FILE: MESSAGE".
llvm::Error fileError(llvm::StringRef File, const llvm::Twine &Message);

/// The error "FILE: RECORD: MESSAGE". \p Record names the part of the file at
/// fault, for example "segment 3" or "call stack 0x1f (at byte 812)".
llvm::Error recordError(llvm::StringRef File, const llvm::Twine &Record,
                        const llvm::Twine &Message);

/// Puts "FILE: " in front of \p E, for errors of LLVM's libraries that do not
/// name the file. A success stays a success.
llvm::Error inFile(llvm::StringRef File, llvm::Error E);

/// The same for what may be an error.
template <class T>
llvm::Expected<T> inFile(llvm::StringRef File, llvm::Expected<T> Result) {
  if (!Result)
    return inFile(File, Result.takeError());
  return Result;
}

/// Prints "TOOL: error: TEXT" for each part of \p E to \p OS and returns the
/// exit status 1. Called by main alone.
int reportFatal(llvm::StringRef Tool, llvm::Error E,
                llvm::raw_ostream &OS = llvm::errs());

/// Writes out what \p OS, a stream to \p File, still holds. The error names the
/// file. (LLVM would end the program with an error that does not.)
llvm::Error flushed(llvm::raw_fd_ostream &OS, llvm::StringRef File);

/// Flushes what main has printed. Called last by main, with its exit status.
/// Returns that status, or 1 if not everything was printed.
int finishOutput(llvm::StringRef Tool, int Status);

/// Lets LLVM's fatal errors be printed as reportFatal() prints others, and the
/// program end with status 1. \p Output is the file that is being written, for
/// errors that do not name it. Installed by main. The last one installed
/// counts, and must live as long as the program.
struct FatalErrors {
  std::string Tool;
  std::string Output = "standard output";

  void install();
};

} // namespace thermocline

#endif
