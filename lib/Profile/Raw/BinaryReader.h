//===- Raw/BinaryReader.h - Reads a binary in this process ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ProfiledBinary asks, and who answers it in a child: the debug
// information, the symbols and the sections of one binary. Addresses are those
// of the file.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_RAW_BINARYREADER_H
#define THERMOCLINE_LIB_PROFILE_RAW_BINARYREADER_H

#include "thermocline/Profile/Program/BinaryFiles.h"
#include "thermocline/Profile/Program/ImportedCalls.h"
#include "thermocline/Profile/Program/ProgramFile.h"
#include "thermocline/Profile/Program/ProgramReader.h"
#include "thermocline/Profile/Program/SourceFrames.h"
#include "thermocline/Support/Message.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/DebugInfo/Symbolize/SymbolizableModule.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::profile {

/// The requests, each a u8, the number of the binary (u32), and what follows.
/// Warnings, a list of texts, begin each answer.
enum class BinaryRequest : uint8_t {
  /// How much to read (u8), the path, lists of debug files and of directories.
  /// Comes first, and may come again. Answer: an error, empty if there is none;
  /// executable
  /// segments; whether there is debug information; problems of debug files.
  Open = ProgramReader::FirstOther,
  /// A list of addresses. Answer: names of functions met for the first time,
  /// then of each address what ProfiledBinary::symbolize() returns.
  Symbolize,
  /// A list of addresses. Answer: of each a list of source lines.
  Lines,
  /// The name of a section. Answer: an error, empty if there is none, and a
  /// list of its contents.
  Sections,
  /// Answer: a list of missing .dwo files.
  MissingDwoFiles,
};

/// How much is read of a binary.
enum class BinaryDetail : uint8_t { DebugInfo, Symbols };

/// Answers these requests, and those of a ProgramReader.
ReaderProcess::Answer answerAboutBinaries();

class BinaryReader {
public:
  /// \p Input has the number of the binary behind it.
  std::string respond(BinaryRequest Kind, MessageReader &Input);

private:
  void open(MessageReader &Input, MessageWriter &Answer);
  llvm::Error open(const ChosenBinary &Chosen,
                   llvm::ArrayRef<std::string> DebugDirectories);
  void symbolize(MessageReader &Input, MessageWriter &Answer);
  void symbolize(uint64_t Address, MessageWriter &Answer);
  void lines(uint64_t Address, MessageWriter &Answer);
  void sections(llvm::StringRef Wanted, MessageWriter &Answer) const;
  void missingDwoFiles(MessageWriter &Answer) const;
  std::unique_ptr<llvm::DWARFContext> createContext();
  /// The index of a function in the order in which they are met, given a name
  /// that SourceFrames told.
  uint32_t functionIndex(const char *Name);

  BinaryDetail Wanted = BinaryDetail::DebugInfo;
  std::optional<ProgramFile> File;
  std::vector<uint64_t> ExecutableSegments;
  /// Refers to File.
  std::unique_ptr<llvm::symbolize::SymbolizableModule> Symbolizer;
  /// Knows the symbol table alone.
  std::unique_ptr<llvm::symbolize::SymbolizableModule> Symbols;
  /// Refers to what Symbolizer owns; null without debug information.
  std::unique_ptr<SourceFrames> Source;
  std::unique_ptr<ImportedCalls> Imported;
  /// The warnings since the last answer, and how many there were before.
  std::vector<std::string> Warnings;
  size_t NumWarnings = 0;
  bool SaidNamesAreMissing = false;
  /// By the place of the name in the debug information.
  llvm::DenseMap<const char *, uint32_t> Functions;
  std::vector<const char *> NewFunctions;
};

} // namespace thermocline::profile

#endif
