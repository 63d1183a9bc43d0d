//===- lto/link/LinkSetup.h - What a driver knows of a link --- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ld.lld, the plugin, thermo-lto run and thermo-backend each fill in one of
// these, and give it to the session before the link.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKSETUP_H
#define THERMOCLINE_LTO_LINK_LINKSETUP_H

#include "LinkInputs.h"
#include "LinkMessages.h"
#include "LinkRemarks.h"
#include "options/LinkOptions.h"
#include "program/ProfileCoverage.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace thermocline::lto {

/// Tells whether the link defines a symbol elsewhere than in the bitcode that
/// is optimized together. Asked in the thin link and in regular LTO.
using IsDefined = std::function<bool(llvm::StringRef)>;

struct LinkSetup {
  /// The program, for what it prints.
  std::string Tool;
  /// What the link writes, as its command line names it. For reports.
  std::string Output = {};
  /// Who is told of warnings, and of errors that LLVM has no way to return.
  LinkMessages Say = messagesToStandardError("thermocline");
  /// Who compiles the modules, unless the options say it.
  Backends CompiledBy = Backends::InProcess;
  /// Nothing is decided here, but a module compiled by an index that some link
  /// wrote.
  bool CompilesOnly = false;
  /// Nothing is decided because of the level of optimization, and not because
  /// somebody asked for it.
  bool IsOffByLevel = false;
  /// Nothing is decided because the link was asked for passes in place of
  /// LLVM's
  /// (--lto-newpm-passes), among which those are not that make hints.
  bool IsOffByPasses = false;
  /// Whether the link writes an object (-r).
  bool IsRelocatable = false;
  /// Which functions --wrap, --defsym and scripts send calls of elsewhere,
  /// sorted.
  std::vector<std::string> Redefined = {};
  IsDefined IsDefinedElsewhere = [](llvm::StringRef) { return false; };
  /// Asked in the thin link and in regular LTO, if there are contexts.
  std::function<OwnOperators()> FindOwnOperators = [] {
    return OwnOperators();
  };
  /// Asked for reports, if there is a profile.
  FindMachineCode MachineCode = nullptr;
  /// Which file of remarks LLVM's LTO was asked for.
  RemarksFile Remarks = {};
  /// Options of linkerOptions() and their values, which count as if they were
  /// last on the command line.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> LastOptions = {};
  /// What else than decisions steers compiles that a cache keeps.
  std::string CacheSettings = {};
};

/// Who compiles by written indexes, given the compiler that a distributor
/// runs; empty if whoever reads the indexes compiles by them.
Backends compilerOfIndexes(llvm::StringRef RemoteCompiler);

} // namespace thermocline::lto

#endif
