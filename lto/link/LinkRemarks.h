//===- lto/link/LinkRemarks.h - Remarks of the thin link --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The backends emit remarks on decisions where they apply them, with places in
// the source. But a module that comes from the cache has no backend, and a
// module that is compiled elsewhere has none in this process. So the thin link
// emits remarks on all its decisions as well. They go into the file that LLVM
// names after the option alone, which is empty otherwise in a link of ThinLTO
// modules. On the terminal, they are only about modules that no backend of this
// process has compiled.
//
// The thin link has no code to point at. If a profile is given, it tells where
// an allocation is: the function, and the line from where that begins.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKREMARKS_H
#define THERMOCLINE_LTO_LINK_LINKREMARKS_H

#include "LinkMessages.h"
#include "thermocline/Apply/MissedHint.h"
#include "thermocline/Context/ContextProgram.h"
#include "thermocline/Engine/EngineResult.h"
#include "thermocline/Profile/Indexed/IndexedProfile.h"
#include "thermocline/Profile/Program/FunctionNames.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace thermocline::lto {

/// Remarks in a file, as LLVM's LTO is asked for them.
struct RemarksFile {
  /// Empty for none.
  std::string Name;
  /// A regular expression; empty for all.
  std::string Passes;
  /// LLVM's name of a format; empty for YAML.
  std::string Format;
};

/// The cold contexts of each allocation that \p Result leaves without a hint.
/// Indexed by AllocationId.
std::vector<apply::MissedHints>
missedHints(const context::ContextProgram &Program,
            const context::EngineResult &Result);

/// What was decided on the ThinLTO part of a link. Nothing is owned.
struct DecidedModules {
  const context::ContextProgram &Program;
  const context::EngineResult &Result;
  /// The module of each function. Indexed by FunctionId.
  llvm::ArrayRef<llvm::StringRef> Modules;
  /// The modules that backends of this process have compiled, and so remarked
  /// on.
  const llvm::StringSet<> &Compiled;
  /// Whether others are from the cache.
  bool CompilesHere = true;
  /// Null without a profile at hand.
  const profile::IndexedProfile *Profile = nullptr;
  const profile::FunctionNames &Names;
};

/// Whether remarks are wanted at all.
bool wantsLinkRemarks(const RemarksFile &File);

/// Writes the remarks into \p File, if it has a name, and those on modules that
/// were not compiled to \p OnTerminal, if LLVM's options ask for them. \p Keeps
/// says that \p File has remarks of regular LTO already, which stay. The error
/// names the file. Called once the link is done.
llvm::Error writeLinkRemarks(const RemarksFile &File,
                             const DecidedModules &Decided, bool Keeps,
                             const LinkMessages::Handler &OnTerminal);

} // namespace thermocline::lto

#endif
