//===- Support/CommandLine.h - Usage errors of tools ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's cl prints several errors for one mistake, suggests -h for whatever it
// does not know, and points to the help of the whole tool.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_COMMANDLINE_H
#define THERMOCLINE_SUPPORT_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace thermocline {

/// Reads \p Arguments, of which the first names the program, into the options
/// that are registered with cl. --help prints \p Overview and ends the program.
/// An error is the first that cl finds, in the words of a user. It ends with
/// where help is: "COMMAND --help". What is wrong with an option's value cl
/// prints itself, before that.
llvm::Error parseOptions(llvm::ArrayRef<const char *> Arguments,
                         llvm::StringRef Overview, llvm::StringRef Command);

} // namespace thermocline

#endif
