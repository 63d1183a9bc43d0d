//===- plugin/Linker.h - The linker that loaded us ------------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker's side of the plugin interface (plugin-api.h, binutils). It hands
// over a vector of numbers, strings and functions; each linker leaves some out:
//
//   |                        | GNU ld | gold | mold                        |
//   | which archive members  |        |      |                             |
//   | are not in the link    | –      | yes  | yes, from a plugin that     |
//   | (get_symbols v3)       |        |      | asks for API version 1      |
//   | names under --wrap     | –      | yes  | –                           |
//   | kind and section of    |        |      |                             |
//   | symbols (add v2)       | yes    | –    | yes                         |
//
// What no callback tells is read from the linker's command line.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_LINKER_H
#define THERMOCLINE_LTO_PLUGIN_LINKER_H

#include "LinkerArguments.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <plugin-api.h>
#include <string>
#include <vector>

namespace thermocline::lto::plugin {

/// What the plugin calls itself in messages.
inline constexpr llvm::StringLiteral ToolName = "ThermoclineLTO";

enum class OutputKind { Relocatable, Executable, PIE, SharedLibrary };

/// What the linker calls. Plain functions: the interface has no place for an
/// object.
struct Hooks {
  ld_plugin_claim_file_handler ClaimFile;
  ld_plugin_all_symbols_read_handler AllSymbolsRead;
  ld_plugin_cleanup_handler Cleanup;
};

class Linker {
public:
  /// Takes what the linker offers and registers \p Registered with it.
  /// Called by onload. The error names what is missing.
  llvm::Error load(const ld_plugin_tv *Vector, const Hooks &Registered);

  /// The linker's way to end a failed link; it removes its output. Returns only
  /// if the linker gave no such function.
  void fatal(const llvm::Twine &Text) const;
  /// May be called by several threads.
  void warn(const llvm::Twine &Text) const;
  void note(const llvm::Twine &Text) const;

  OutputKind outputKind() const { return Kind; }
  bool isExecutable() const {
    return Kind == OutputKind::Executable || Kind == OutputKind::PIE;
  }
  llvm::StringRef outputName() const { return OutputName; }
  /// The `-plugin-opt=` of this plugin, in their order.
  llvm::ArrayRef<std::string> pluginOptions() const { return PluginOptions; }

  /// Whether symbols may say what they are beside how they are defined. Where
  /// not, these bytes must be zero.
  bool takesSymbolKinds() const { return AddSymbolsV2; }
  /// Must stay where they are until the link ends: linkers keep the pointer.
  ld_plugin_status addSymbols(void *Handle,
                              llvm::ArrayRef<ld_plugin_symbol> Symbols) const;
  /// Closes a claimed file where the linker would keep it open, of which there
  /// may be more than a process may open.
  void closeClaimed(const void *Handle) const;
  /// Fills in the resolutions. LDPS_NO_SYMS: the file is not in the link.
  ld_plugin_status
  getSymbols(const void *Handle,
             llvm::MutableArrayRef<ld_plugin_symbol> Symbols) const;
  /// Adds a native object to the link.
  llvm::Error addInputFile(const std::string &Path) const;
  llvm::Error setExtraLibraryPath(const std::string &Path) const;
  /// Whether an added file is read at once. It may then be removed right away,
  /// which this linker does not ask for if the link fails.
  bool readsFilesAtOnce() const { return IsMold; }

  /// Symbols that --wrap and --defsym give another meaning.
  const llvm::StringSet<> &redefined() const { return Redefined; }
  /// Symbols that options (--undefined, --entry, … and the above) refer to, as
  /// native code does.
  const llvm::StringSet<> &referred() const { return Referred; }

  /// The words of the linker's command line, with response files by their
  /// contents, and by their names.
  llvm::ArrayRef<LinkArgument> commandLine() const { return Arguments.Line; }
  llvm::ArrayRef<const char *> unexpanded() const {
    return Arguments.Unexpanded;
  }
  /// What the user is to be warned of.
  llvm::ArrayRef<std::string> problems() const { return Problems; }

private:
  struct UsedOnce;

  void take(const ld_plugin_tv &Offer, UsedOnce &Once);
  llvm::Error registerHooks(const UsedOnce &Once,
                            const Hooks &Registered) const;
  void takeCommandLine();
  void send(ld_plugin_level Level, const llvm::Twine &Text) const;
  void takeWrapped(ld_plugin_get_wrap_symbols Get);
  void addWrapped(llvm::StringRef Name);

  ld_plugin_message Message = nullptr;
  ld_plugin_add_symbols AddSymbols = nullptr;
  bool AddSymbolsV2 = false;
  ld_plugin_get_symbols GetSymbols = nullptr;
  /// Null where files are not ours to close.
  ld_plugin_release_input_file ReleaseInputFile = nullptr;
  ld_plugin_add_input_file AddInputFile = nullptr;
  ld_plugin_set_extra_library_path SetExtraLibraryPath = nullptr;
  OutputKind Kind = OutputKind::Executable;
  std::string OutputName;
  std::vector<std::string> PluginOptions;
  bool IsMold = false;
  LinkerArguments Arguments;
  llvm::StringSet<> Redefined;
  llvm::StringSet<> Referred;
  std::vector<std::string> Problems;
  mutable std::mutex MessageLock;
};

} // namespace thermocline::lto::plugin

#endif
