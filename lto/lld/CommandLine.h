//===- lld/CommandLine.h - Our options among those of lld ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// lld refuses options that it does not know, so Thermocline's are taken out of
// its command line first. They are LLVM options as well, under the same names:
// each is passed on as `-mllvm --NAME=VALUE`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LLD_COMMANDLINE_H
#define THERMOCLINE_LTO_LLD_COMMANDLINE_H

#include "link/LinkLine.h"
#include "link/LinkRemarks.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace thermocline::lto {

struct CommandLine {
  /// What was given, without the program, response files expanded.
  std::vector<const char *> Words;
  std::vector<LinkArgument> Line;
  /// The program and the arguments for lld, response files expanded.
  llvm::SmallVector<const char *, 256> ForLLD;
  /// Whether other programs compile the modules: written indexes are all that
  /// they get.
  bool CompilesElsewhere = false;
  /// What the distributor is to run for each module, and the arguments for it;
  /// empty without.
  std::string RemoteCompiler;
  std::string RemoteCompilerArguments;
  /// Options of ours that ask for files, and those: lld's cache would take a
  /// link with other LLVM options for another one.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> Outputs;
  /// Symbols that --wrap, --defsym and scripts let mean another; sorted.
  std::vector<std::string> Redefined;
  /// The file of remarks that --opt-remarks-… ask for.
  RemarksFile Remarks;
  /// The file that the link writes; empty where it writes none.
  std::string Output = "a.out";
  /// Whether that is an object (-r).
  bool IsRelocatable = false;
  /// Whether there is a cache of compiled modules.
  bool Caches = false;
  /// Whether there is nothing to decide because of --lto-O0.
  bool IsOffByLevel = false;
  /// Or because of --lto-newpm-passes.
  bool IsOffByPasses = false;
  bool Help = false;
  bool Version = false;

  /// \p Saver owns what is in ForLLD and Outputs. The error names an option of
  /// ours with a missing or wrong argument.
  static llvm::Expected<CommandLine>
  parse(llvm::ArrayRef<const char *> Arguments, llvm::StringSaver &Saver);
};

/// Our section of the linker's help.
void printLinkerOptions(llvm::raw_ostream &OS);

} // namespace thermocline::lto

#endif
