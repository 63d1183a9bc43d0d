//===- Callsites/SourceFiles.h - Files of a module's source -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the text that debug information is of. Its paths need not be those of
// files: packages are compiled with -ffile-prefix-map=, which writes another
// folder in front of them. The module still has the path of its source as the
// command line had it. So a file is looked for
//
// 1. as debug information names it;
// 2. in the folders that stand for those of the source and of the compile,
//    which debug information names as well;
// 3. by the end of its path, below the folder of the compile and those that the
//    source is in, if debug information has the checksum of the text.
//
// Whatever is found must have that checksum, if there is one (DWARF 5). There
// is none of files that `#line` or a preprocessor names. If they are not found,
// their text is what the source has below such lines.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CALLSITES_SOURCEFILES_H
#define THERMOCLINE_LIB_CALLSITES_SOURCEFILES_H

#include "thermocline/Callsites/SourceTokens.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace llvm {
class DIFile;
class Module;
} // namespace llvm

namespace thermocline::callsites {

/// Source files, each of which is read once.
class SourceFiles {
public:
  struct SourceFile {
    SourceTokens Tokens;
    /// The same without names of local variables.
    SourceTokens Nameless;
    /// Its path, for the macros that it may use.
    std::string Path;
  };

  explicit SourceFiles(const llvm::Module &M);

  /// The path of the module's source.
  llvm::StringRef source() const { return Source; }

  /// Null if there is no text of it.
  const SourceFile *read(const llvm::DIFile &File);

private:
  using Text = std::unique_ptr<llvm::MemoryBuffer>;

  /// Notes that debug information has \p Named for \p Is, so that other paths
  /// may begin in the same ways.
  void addPrefix(llvm::StringRef Named, llvm::StringRef Is);
  /// The text of \p File at \p Path, if it is there.
  Text open(const llvm::Twine &Path, const llvm::DIFile &File);
  /// The text of \p File in some file, and the path of that.
  std::pair<Text, std::string> find(const llvm::DIFile &File);
  /// What the source has below lines that say that it is of \p File.
  Text belowLineMarkers(const llvm::DIFile &File);
  void readLineMarkers();

  /// The path of the source, and the folder of the compile.
  std::string Source, Folder;
  /// What paths begin with in debug information, and in truth.
  std::vector<std::pair<std::string, std::string>> Prefixes;
  /// The lines of the source by the files that line markers name.
  std::optional<std::map<std::string, std::map<unsigned, std::string>>> Marked;
  llvm::DenseMap<const llvm::DIFile *, std::unique_ptr<SourceFile>> Files;
  std::vector<Text> Buffers;
};

} // namespace thermocline::callsites

#endif
