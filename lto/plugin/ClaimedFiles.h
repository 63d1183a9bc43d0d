//===- plugin/ClaimedFiles.h - The bitcode of a link ---------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The linker shows the plugin every file that it opens, or finds in an archive.
// The plugin claims those with bitcode, fat objects among them. The linker gets
// their symbols. When it has seen all files, it says for each symbol which
// definition it chose and who refers to it. LTO's resolutions are made from
// that.
//
// The contents of a claimed file are mapped here, apart from the linker's own
// handle, because linkers differ in how a file can be read later: mold closes
// it, gold opens it again, and in GNU ld a member has its archive's handle.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_CLAIMEDFILES_H
#define THERMOCLINE_LTO_PLUGIN_CLAIMEDFILES_H

#include "ArchiveMembers.h"
#include "Linker.h"
#include "PluginOptions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/LTO/LTO.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"
#include <memory>
#include <mutex>
#include <vector>

namespace thermocline::lto::plugin {

/// What all files say of a symbol's name.
struct NameInfo {
  /// Every file may leave it out of the dynamic symbol table: its address
  /// counts nowhere, and who needs it has a copy.
  bool MayBeOmitted = true;
  bool HasDefaultVisibility = true;
};

/// What LTO is told of a symbol that the linker gave \p Resolution for.
/// \p IsDefined: in this file.
llvm::lto::SymbolResolution resolve(ld_plugin_symbol_resolution Resolution,
                                    bool IsDefined,
                                    const llvm::lto::InputFile::Symbol &Symbol,
                                    const NameInfo &Info, const Linker &Host);

class ClaimedFiles {
public:
  /// Claims \p File if there is bitcode in it, under the name that \p Options
  /// ask for. The error is of bitcode that cannot be read. May be called by
  /// several threads.
  llvm::Expected<bool> claim(const ld_plugin_input_file &File,
                             const PluginOptions &Options, const Linker &Host);

  bool empty() const { return Files.empty(); }

  /// Whether a symbol of any of them is called \p Name.
  bool haveSymbol(llvm::StringRef Name) const { return Names.contains(Name); }

  /// The modules that were claimed, by what became of them.
  struct Modules {
    std::vector<std::string> Linked;
    /// Members of archives that nothing needs.
    std::vector<std::string> Skipped;
    /// Symbols that nothing in the link defines.
    llvm::StringSet<> Undefined;
  };
  /// Adds what is in the link to \p Link, which uses the contents as long as it
  /// runs. Called once.
  llvm::Expected<Modules> addTo(llvm::lto::LTO &Link, const Linker &Host);

private:
  struct File {
    void *Handle;
    /// What messages call it.
    std::string Name;
    /// What indexes call it.
    std::string Module;
    std::unique_ptr<llvm::MemoryBuffer> Contents;
    /// Until it is added. Its symbols are those below, in the same order.
    std::unique_ptr<llvm::lto::InputFile> Input;
    /// The linker keeps a pointer to them.
    std::vector<ld_plugin_symbol> Symbols;
  };

  ld_plugin_symbol describe(const llvm::lto::InputFile &Input,
                            const llvm::lto::InputFile::Symbol &Symbol,
                            bool WithKinds);

  std::mutex Lock;
  std::vector<std::unique_ptr<File>> Files;
  ArchiveMembers Members;
  llvm::StringMap<NameInfo> Names;
  llvm::BumpPtrAllocator Allocator;
  llvm::StringSaver Strings{Allocator};
};

} // namespace thermocline::lto::plugin

#endif
