//===- Support/Tools/CommandLine.h - Command lines of tools -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a tool takes is said once: its commands, how it ends and what it looks
// at in a Tool, and its options in LLVM's registry, cl. From both come --help
// and errors, and from --help manual pages, completion and a test of the docs.
//
// LLVM's cl prints several errors for one mistake, suggests -h for whatever it
// does not know, and points to the help of the whole tool.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_TOOLS_COMMANDLINE_H
#define THERMOCLINE_SUPPORT_TOOLS_COMMANDLINE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace thermocline {

/// A command of a tool.
struct ToolCommand {
  llvm::StringRef Name;
  /// What comes after its name, such as "BEFORE AFTER".
  llvm::StringRef Synopsis;
  /// What it does, in half a sentence.
  llvm::StringRef Summary;
};

/// Something that a tool ends with or looks at, and what it means.
struct ToolFact {
  llvm::StringRef Name;
  llvm::StringRef Meaning;
};

/// All that help says of a tool, but for options.
struct Tool {
  llvm::StringRef Name;
  /// A sentence.
  llvm::StringRef Summary;
  llvm::ArrayRef<ToolCommand> Commands;
  llvm::ArrayRef<ToolFact> ExitStatus;
  llvm::ArrayRef<ToolFact> Environment;
  llvm::ArrayRef<ToolFact> Files;

  /// The command with this name, or null.
  const ToolCommand *find(llvm::StringRef Command) const;
  /// The error of a command line without one, or with another \p Given.
  llvm::Error noCommand(llvm::StringRef Given = "") const;
  /// What --help prints above the options.
  std::string overview() const;
  /// Prints help as cl does, of a tool whose commands are none of cl.
  void printHelp(llvm::raw_ostream &OS) const;
};

/// A command as a subcommand of cl.
struct RegisteredCommand : llvm::cl::SubCommand {
  RegisteredCommand(const Tool &T, llvm::StringRef Command)
      : llvm::cl::SubCommand(Command, T.find(Command)->Summary) {}
};

/// Reads \p Arguments, of which the first names the program, into the options
/// that are registered with cl. --help prints \p Overview and ends the program.
/// An error is the first that cl finds, in the words of a user. It ends with
/// where help is: "COMMAND --help". What is wrong with an option's value cl
/// prints itself, before that.
llvm::Error parseOptions(llvm::ArrayRef<const char *> Arguments,
                         llvm::StringRef Overview, llvm::StringRef Command);

/// Reads \p Arguments likewise for \p T, whose commands are subcommands of cl,
/// and have no option of LLVM's but --help and the like. An option that takes
/// one value is an error if it is given twice: LLVM would forget all values but
/// the last.
llvm::Error parseCommands(const Tool &T,
                          llvm::ArrayRef<const char *> Arguments);

/// An error of a command that can be used otherwise: says where its help is.
llvm::Error usageError(const Tool &T, llvm::StringRef Command,
                       const llvm::Twine &Text);

} // namespace thermocline

#endif
