//===- Program/ProgramFile.h - A program and its debug file -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs are often shipped without debug information, which is then in a
// separate file. If a program has none, it is looked for as debuggers do. DIR
// stands for each of the given directories and for /usr/lib/debug:
//
//   by its build id 1234…           DIR/.build-id/12/34….debug
//   by its section .gnu_debuglink   beside the program, in .debug/ there,
//   that names FILE                 DIR/FILE, DIR/the program's directory/FILE
//
// A debug file must have the build id of the program. If a section names it, it
// must also have the checksum that the section has. Split DWARF is in .dwo
// files at the places that the debug information names, or in a package,
// PROGRAM.dwp.
//
// All of this may be damaged, and LLVM's readers do not stand everything. So it
// is used in a ReaderProcess (see ProgramReader.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_PROGRAMFILE_H
#define THERMOCLINE_PROFILE_PROGRAM_PROGRAMFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/Binary.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace thermocline::profile {

/// Is told what is wrong with debug information, without the name of the file.
using DebugInfoWarning = std::function<void(const std::string &What)>;

/// Opens the ELF file \p Path. The error says that it cannot be read, is no
/// regular file, or no ELF file.
llvm::Expected<llvm::object::OwningBinary<llvm::object::Binary>>
openProgram(llvm::StringRef Path);

/// Whether \p Object has debug information.
bool hasDebugSection(const llvm::object::ObjectFile &Object);

class ProgramFile {
public:
  /// Opens \p Path, and its debug file, if it needs one and has one. \p
  /// DebugDirectories: beside /usr/lib/debug. \p DebugFiles are tried first,
  /// and must have its build id. The error is that of openProgram().
  static llvm::Expected<ProgramFile>
  open(llvm::StringRef Path, llvm::ArrayRef<std::string> DebugDirectories,
       llvm::ArrayRef<std::string> DebugFiles = {});

  const llvm::object::ELFObjectFileBase &program() const;
  /// The file that has the debug information: the program, or its debug file.
  const llvm::object::ELFObjectFileBase &debug() const;
  /// The file that has the symbol table: the program, or its debug file.
  const llvm::object::ELFObjectFileBase &symbols() const;
  bool hasDebugInfo() const;
  /// The name of that file.
  llvm::StringRef debugPath() const {
    return DebugPath.empty() ? Path : DebugPath;
  }

  /// Refers to this object. \p Warn is called while it is read.
  std::unique_ptr<llvm::DWARFContext>
  createContext(DebugInfoWarning Warn) const;

  /// Lets the present request of a ReaderProcess take what these files need.
  void allowReading() const;

  /// Debug files that were found but are not the program's, one sentence for
  /// each. Empty if the right one was found.
  llvm::ArrayRef<std::string> problems() const { return Problems; }

private:
  ProgramFile() = default;
  void findDebugFile(llvm::ArrayRef<std::string> Directories,
                     llvm::ArrayRef<std::string> Files);

  std::string Path;
  llvm::object::OwningBinary<llvm::object::Binary> Program;
  /// Path of the debug file; empty if there is none.
  std::string DebugPath;
  llvm::object::OwningBinary<llvm::object::Binary> Debug;
  std::vector<std::string> Problems;
};

/// The sentence on \p What is wrong with the debug information of \p Path.
std::string debugInfoWarning(llvm::StringRef Path, llvm::StringRef What);

/// The existing files among the places where the debug file of \p Path, and its
/// package, are looked for.
std::vector<std::string>
debugFilesOf(llvm::StringRef Path,
             llvm::ArrayRef<std::string> DebugDirectories);

/// The unit that has the entries of \p Unit: itself or, of split DWARF, that in
/// another file. Null if they cannot be read, for damaged debug information.
llvm::DWARFUnit *unitWithEntries(llvm::DWARFUnit &Unit);

/// Calls \p Visit with each unit whose debug information is in a .dwo file, and
/// with the name of that file.
void forEachSplitUnit(
    llvm::DWARFContext &Context,
    llvm::function_ref<void(llvm::DWARFUnit &Unit, const char *Name)> Visit);

/// The .dwo files that \p Path or its debug file names, whether they are there
/// or not. Reads the debug information.
std::vector<std::string>
splitFilesOf(llvm::StringRef Path,
             llvm::ArrayRef<std::string> DebugDirectories);

} // namespace thermocline::profile

#endif
