//===- plugin/Plugin.h - A link through a linker plugin ------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker claims files one by one, then says that it has read all symbols:
// there the whole of LTO runs, and the objects that it makes go back to the
// linker. Nothing here ends the process on an error: the linker's own way of
// failing does, which removes its output.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_PLUGIN_H
#define THERMOCLINE_LTO_PLUGIN_PLUGIN_H

#include "ClaimedFiles.h"
#include "Linker.h"
#include "OutputFiles.h"
#include "PluginOptions.h"
#include "link/LinkSetup.h"
#include "thermocline/Support/FileRoles.h"
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

class Plugin {
public:
  /// The interface's functions know no object but this one.
  static Plugin &get();

  /// A linker that is given the plugin twice loads it twice; the second time
  /// brings nothing but options.
  ld_plugin_status load(const ld_plugin_tv *Vector, const Hooks &Registered);
  ld_plugin_status claimFile(const ld_plugin_input_file &File, bool &Claimed);
  ld_plugin_status allSymbolsRead();
  ld_plugin_status cleanup();

  const Linker &linker() const { return Host; }

private:
  /// What must be known before any file is claimed, when all plugins are
  /// loaded and all options given.
  llvm::Error begin();
  /// Enters what the options and the linker's command line name.
  void enterFiles();
  /// All of LTO, up to what goes to the linker.
  llvm::Error compile();
  LinkSetup makeSetup(const ClaimedFiles::Modules &Modules);
  llvm::Error run(llvm::lto::LTO &Link);
  llvm::Error handOver();
  llvm::Expected<llvm::lto::ThinBackend> makeBackend();
  /// Writes the indexes of modules that the thin link has nothing to say of.
  llvm::Error writeEmptyIndexes(const ClaimedFiles::Modules &Modules);
  ld_plugin_status fail(llvm::Error E);
  /// Warns of a program whose hinted calls find no cold heap.
  void lookForColdHeap();
  /// Ends the process when there is no program to link.
  [[noreturn]] void stop();

  void noteError(const llvm::Twine &Text);
  /// What was noted, as one error.
  llvm::Error takeErrors();

  bool IsLoaded = false;
  std::once_flag Begun;
  std::atomic<bool> Compiled = false;
  Linker Host;
  std::vector<std::string> Arguments;
  PluginOptions Options;
  /// See LinkSetup.
  bool IsOffByLevel = false;
  ClaimedFiles Files;
  FileRoles Roles;
  /// The inputs that the linker has shown.
  llvm::StringSet<> InputsSeen;
  OutputFiles Outputs;
  /// The output of --thinlto-index-only; null without this option.
  std::unique_ptr<llvm::raw_fd_ostream> LinkedObjects;
  /// Modules whose indexes the thin link has written.
  llvm::StringSet<> IndexesWritten;
  std::mutex Lock;
  /// Guarded by Lock, as is IndexesWritten.
  std::vector<std::string> Errors;
};

} // namespace thermocline::lto::plugin

#endif
