//===- pkgindex/StatusReader.h - Reader of dpkg's status file ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Divides a status file into paragraphs and fields.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_STATUSREADER_H
#define PKGINDEX_STATUSREADER_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace pkgindex {

class ParseError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Field {
  std::string_view Name;
  std::string_view Value; ///< Continuation lines included.
};

struct Paragraph {
  uint32_t Line = 0; ///< Where it starts, from 1.
  std::vector<Field> Fields;
};

/// A file's contents, in memory.
class FileContents {
public:
  /// Throws std::runtime_error if the file cannot be read.
  explicit FileContents(const char *Path);
  FileContents(const FileContents &) = delete;
  FileContents &operator=(const FileContents &) = delete;
  ~FileContents();

  std::string_view text() const { return {Data, Size}; }

private:
  char *Data = nullptr;
  size_t Size = 0;
};

class StatusReader {
public:
  explicit StatusReader(std::string_view Text) : Rest(Text) {}

  /// Reads the next paragraph into Next; false at the end. Throws ParseError.
  bool next(Paragraph &Next);

private:
  std::string_view line();

  std::string_view Rest;
  uint32_t Line = 0;
};

} // namespace pkgindex

#endif
