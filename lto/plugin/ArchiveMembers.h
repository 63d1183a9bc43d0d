//===- plugin/ArchiveMembers.h - Names of archive members ----- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linkers name an archive and the offset of a member's contents. Each module of
// a link needs a name of its own, which messages, indexes and saved files show:
// "lib.a(member.o at 60)", as lld writes it, from which `thermo-lto audit`
// finds the module again.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_PLUGIN_ARCHIVEMEMBERS_H
#define THERMOCLINE_LTO_PLUGIN_ARCHIVEMEMBERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace thermocline::lto::plugin {

class ArchiveMembers {
public:
  /// The module name for what begins at \p Offset in \p Path; the path itself
  /// if that is no archive. Reads each archive's list of members once.
  std::string moduleName(llvm::StringRef Path, uint64_t Offset);

private:
  /// "member.o at 60" by offset of the contents.
  using Members = llvm::DenseMap<uint64_t, std::string>;
  static Members read(llvm::StringRef Path);
  llvm::StringMap<Members> Archives;
};

} // namespace thermocline::lto::plugin

#endif
