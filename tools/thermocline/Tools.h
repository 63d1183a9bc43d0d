//===- thermocline/Tools.h - The tools beside this one ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The other tools are in the directory of this one, in a build tree as well as
// where Thermocline is installed. Other files are at a place relative to it.
// Programs of the user are where a shell would find them.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_TOOLS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_TOOLS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace thermocline::front {

/// The path of the tool \p Name; an error if it is not there.
llvm::Expected<std::string> findTool(llvm::StringRef Name);

/// The path of the program that a command line names \p Name: itself if it is a
/// path, or else where PATH has it; an error if there is none.
llvm::Expected<std::string> findProgram(llvm::StringRef Name);

/// The path of the config file \p Name for programs of \p Architecture, which
/// has its name of LLVM's triples; empty stands for this machine's. The name
/// alone if it is not there.
std::string findConfig(llvm::StringRef Name, llvm::StringRef Architecture = "");

/// The path of the library \p Name of Thermocline for programs of \p
/// Architecture, as above; an error if it is not there.
llvm::Expected<std::string> findLibrary(llvm::StringRef Name,
                                        llvm::StringRef Architecture = "");

/// The allocator for programs, which has the cold heap.
inline constexpr char AllocatorArchive[] = "libthermocline_alloc.a";

/// The path of the library \p Name, or the name alone if it is not there.
std::string libraryOrName(llvm::StringRef Name,
                          llvm::StringRef Architecture = "");

/// A new directory, which goes with everything in it when the object does.
class TemporaryDirectory {
public:
  static llvm::Expected<TemporaryDirectory> create();
  TemporaryDirectory(TemporaryDirectory &&Other)
      : Path(std::exchange(Other.Path, "")), IsKept(Other.IsKept) {}
  TemporaryDirectory &operator=(TemporaryDirectory &&) = delete;
  ~TemporaryDirectory();
  const std::string &path() const { return Path; }
  /// Leaves it where it is.
  void keep() { IsKept = true; }

private:
  TemporaryDirectory() = default;
  std::string Path;
  bool IsKept = false;
};

} // namespace thermocline::front

#endif
