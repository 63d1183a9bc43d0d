//===- lto/link/LinkInputs.h - What else the link defines -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a hint may be lowered to a function of the program's own only if the
// link has that function. Otherwise the link would fail. But lld does not tell
// LTO about symbols in shared libraries, or about undefined ones. So the inputs
// on the command line are searched, and only if no bitcode defines such a
// function.
//
// Libraries are found as lld finds them, and so are the scripts of -T and its
// like, and the files that scripts name by INPUT, GROUP and INCLUDE, as libc.so
// does. LinkScripts.h reads scripts.
//
// The same files tell where a function is that is no LTO code, for reports.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_LINK_LINKINPUTS_H
#define THERMOCLINE_LTO_LINK_LINKINPUTS_H

#include "LinkLine.h"
#include "program/ProfileCoverage.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace thermocline::lto {

/// What defines operator new or delete for the program, without and with an
/// alignment: the first file of a link that does, or what else does; empty if
/// nothing does.
struct OwnOperators {
  std::string Plain, Aligned;

  /// Notes that \p Where defines \p Symbol, if that is such an operator.
  void add(llvm::StringRef Symbol, llvm::StringRef Where);
  bool any() const { return !Plain.empty() || !Aligned.empty(); }
};

class LinkInputs {
public:
  static LinkInputs find(llvm::ArrayRef<LinkArgument> Line);

  /// Objects, archives and libraries, and other files on the command line.
  llvm::ArrayRef<std::string> files() const { return Files; }

  /// The same, with linker scripts and the files that they name. Reads all.
  std::vector<std::string> filesWithThoseOfScripts() const;

  /// The names that linker scripts assign, sorted. Reads all.
  std::vector<std::string> namesAssigned() const;

  /// Whether any of them defines \p Symbol for others. Reads them all when it
  /// is first called. What cannot be read is the linker's to complain of.
  bool defines(llvm::StringRef Symbol);

  /// The program's own operators: those of objects and archives that are
  /// neither the C++ library's nor Thermocline's. Which members of archives are
  /// linked is not known here: each counts. Reads these files.
  OwnOperators ownOperators() const;

  /// The machine code of \p Function in the first of them that has it, be it
  /// local to an object. Reads them all when it is first called.
  FunctionInFile machineCode(llvm::GlobalValue::GUID Function);

private:
  /// The path of what \p Script calls \p Name; empty if it is not there.
  std::string findNamed(llvm::StringRef Name, llvm::StringRef Script) const;
  /// Calls \p Look with the path and the contents of each file that can be
  /// read, inputs first, then libraries and scripts; those that a script names
  /// behind it.
  void forEachContents(
      llvm::function_ref<void(llvm::StringRef, llvm::MemoryBufferRef)> Look)
      const;

  std::vector<std::string> Files;
  /// Those of -T and its like.
  std::vector<std::string> Scripts;
  /// Where libraries are looked for, and which at the end of the line.
  std::vector<std::string> Directories;
  std::string Sysroot;
  bool OnlyStatic = false;
  std::optional<llvm::StringSet<>> Defined;
  /// Ids come from files, so no DenseMap: it reserves keys.
  std::optional<std::unordered_map<llvm::GlobalValue::GUID, FunctionInFile>>
      Functions;
};

} // namespace thermocline::lto

#endif
