//===- Program/ProgramReader.h - What programs say of themselves -*- C++ -*-=//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what a program or library says of itself and of its other files, in a
// process of its own (ReaderProcess), as programs may be damaged. One process
// serves many files, each by a request.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_PROGRAMREADER_H
#define THERMOCLINE_PROFILE_PROGRAM_PROGRAMREADER_H

#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Program/ProgramFacts.h"
#include "thermocline/Support/ReaderProcess.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace thermocline::profile {

class ProgramReader {
public:
  ProgramReader();
  /// Asks a process that answers by respond() what begins with less than
  /// FirstOther. Others may ask it, too.
  explicit ProgramReader(std::shared_ptr<ReaderProcess> Process)
      : Process(std::move(Process)) {}
  static std::string respond(llvm::StringRef Request);
  static constexpr uint8_t FirstOther = 0x80;

  /// The facts of \p Path. The error, which names it, says that it cannot be
  /// read, is no regular file, or no ELF file.
  llvm::Expected<ProgramFacts> facts(llvm::StringRef Path);

  /// Whether \p Path was built for profiles, by Thermocline or by clang's
  /// -fmemory-profile. Not if it cannot be read.
  bool isBuiltForProfiles(llvm::StringRef Path);

  /// The existing files among the places where the debug file of \p Path, and
  /// its package, are looked for.
  std::vector<std::string>
  debugFilesOf(llvm::StringRef Path,
               llvm::ArrayRef<std::string> DebugDirectories);

  /// The .dwo files that \p Path or its debug file names, whether they are
  /// there or not. Reads the debug information.
  std::vector<std::string>
  splitFilesOf(llvm::StringRef Path,
               llvm::ArrayRef<std::string> DebugDirectories);

  /// Adds to \p Names every function of the symbol table and of the debug
  /// information (which also has those inlined everywhere) of \p Path, and of
  /// its debug file, as far as \p Wanted. What is
  /// wrong with its debug files, and with damaged debug information, which then
  /// counts as missing, is added to \p Problems.
  llvm::Error addNames(llvm::StringRef Path,
                       llvm::ArrayRef<std::string> DebugDirectories,
                       NameDetail Wanted, FunctionNames &Names,
                       std::vector<std::string> &Problems);

private:
  llvm::Expected<std::string> ask(llvm::StringRef Path,
                                  const std::string &Request);

  std::shared_ptr<ReaderProcess> Process;
};

} // namespace thermocline::profile

#endif
