//===- Text/TextLines.h - Words of lines, names of functions ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the texts of Context/Text.h have in common.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_CONTEXT_TEXT_TEXTLINES_H
#define THERMOCLINE_LIB_CONTEXT_TEXT_TEXTLINES_H

#include "thermocline/Context/ContextProgram.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace thermocline::context {

/// Walks the lines of a text and hands out the words of each, with errors that
/// name the line.
class TextLines {
public:
  /// \p LinesBefore: those of the file that come before \p Text.
  TextLines(llvm::StringRef FileName, llvm::StringRef Text,
            size_t LinesBefore = 0)
      : FileName(FileName), Left(Text), Line(LinesBefore) {}

  /// Goes to the next line that has words; false at the end.
  llvm::Expected<bool> next();
  llvm::Error expectHeader(llvm::StringRef Header);

  bool atEnd() const { return Word == Words.size(); }
  llvm::Expected<llvm::StringRef> word(const llvm::Twine &What);
  /// Takes the next word if it is \p Wanted.
  bool accept(llvm::StringRef Wanted);
  llvm::Error expect(llvm::StringRef Wanted);
  llvm::Error expectEnd();
  llvm::Expected<uint64_t> number(const llvm::Twine &What, unsigned Radix = 10);
  /// A number below \p End.
  llvm::Expected<uint32_t> index(const llvm::Twine &What, uint64_t End);
  llvm::Expected<std::vector<StackId>> stackIdsToEnd();
  llvm::Error error(const llvm::Twine &Message) const;

private:
  llvm::StringRef FileName;
  llvm::StringRef Left;
  size_t Line;
  std::vector<std::string> Words;
  size_t Word = 0;
};

/// Functions by name and by number.
class FunctionReferences {
public:
  explicit FunctionReferences(const ContextProgram &Program);
  /// How a text refers to \p F.
  std::string reference(FunctionId F) const;
  /// Reads a reference.
  llvm::Expected<FunctionId> parse(TextLines &Lines,
                                   const llvm::Twine &What) const;

private:
  const ContextProgram &Program;
  /// Functions by name; none for a name that several functions have.
  llvm::StringMap<FunctionId> ByName;
};

/// \p Name as one word.
std::string quoted(llvm::StringRef Name);

} // namespace thermocline::context

#endif
