//===- Program/ProgramFacts.h - What a program says of itself ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_PROFILE_PROGRAM_PROGRAMFACTS_H
#define THERMOCLINE_PROFILE_PROGRAM_PROGRAMFACTS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace thermocline::profile {

using BuildId = llvm::SmallVector<uint8_t, 20>;

/// What the headers of an ELF file say.
struct ProgramFacts {
  /// Empty if there is none.
  BuildId Id;
  /// A file of debug information has sections of code without contents.
  bool HasCode = false;
  bool HasDebugInfo = false;
  /// The libraries that it needs, and where to look for them; only of 64-bit
  /// files with the least byte first.
  std::vector<std::string> Needed, RunPaths;
  /// What notes of Thermocline's say (Format/ProgramNotes.h), of the same
  /// files: whether the allocator's archive is in it, and the symbols of the
  /// hinted functions in it that leave it to the process whether memory is
  /// cold.
  bool HasAllocatorArchive = false;
  std::vector<std::string> HintsWithoutHeap;
  /// Another linker made its code, and no version of a function is in it: hints
  /// of the profile that it was compiled with are lost, unless a stock backend
  /// made some by an index of Thermocline's.
  bool MayLackHints = false;
  /// Native code of fat objects with cold contexts is in it, which has no
  /// hints.
  bool HasNativeCode = false;

  /// Whether a program has Thermocline's allocator, in itself or as a library.
  bool hasAllocator() const;
};

/// Reads the facts of \p Path in this process: for files that are as a linker
/// wrote them. The error, which names it, says that it cannot be read, is no
/// regular file, or no ELF file.
llvm::Expected<ProgramFacts> readFacts(llvm::StringRef Path);

/// Which functions of a program are read, and whether the places of these in
/// the source are read as well, which takes a while.
enum class NameDetail : uint8_t { OfSymbols, All, AllWithPlaces };

} // namespace thermocline::profile

#endif
