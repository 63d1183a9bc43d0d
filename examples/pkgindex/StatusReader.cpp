//===- pkgindex/StatusReader.cpp - Reader of dpkg's status file -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fields are `Name: value`; lines that start with a blank continue the value.
//
//===----------------------------------------------------------------------===//

#include "StatusReader.h"
#include "strpool.h"

#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <sys/stat.h>
#include <system_error>

using namespace pkgindex;

FileContents::FileContents(const char *Path) {
  auto Close = [](std::FILE *File) { std::fclose(File); };
  std::unique_ptr<std::FILE, decltype(Close)> File(std::fopen(Path, "rb"));
  if (!File)
    throw std::system_error(errno, std::generic_category(), "cannot read");
  struct stat Status;
  if (fstat(fileno(File.get()), &Status) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot read");
  if (!S_ISREG(Status.st_mode))
    throw std::runtime_error("not a regular file");
  Size = static_cast<size_t>(Status.st_size);
  Data = static_cast<char *>(pool_buffer(Size + 1));
  if (std::fread(Data, 1, Size, File.get()) != Size) {
    pool_free(Data);
    throw std::runtime_error("could not be read whole");
  }
}

FileContents::~FileContents() { pool_free(Data); }

std::string_view StatusReader::line() {
  size_t Size = Rest.find('\n');
  if (Size == std::string_view::npos)
    Size = Rest.size();
  std::string_view Result = Rest.substr(0, Size);
  Rest.remove_prefix(Size == Rest.size() ? Size : Size + 1);
  ++Line;
  return Result;
}

bool StatusReader::next(Paragraph &Next) {
  Next.Fields.clear();
  while (!Rest.empty()) {
    std::string_view Text = line();
    if (Text.empty()) {
      if (!Next.Fields.empty())
        return true;
      continue;
    }
    if (Text[0] == ' ' || Text[0] == '\t') {
      if (Next.Fields.empty())
        throw ParseError("line " + std::to_string(Line) +
                         ": a continuation without a field");
      std::string_view &Value = Next.Fields.back().Value;
      const char *End = Text.data() + Text.size();
      Value = std::string_view(Value.data(), End - Value.data());
      continue;
    }
    size_t Colon = Text.find(':');
    if (Colon == std::string_view::npos)
      throw ParseError("line " + std::to_string(Line) + ": no field name");
    if (Next.Fields.empty())
      Next.Line = Line;
    std::string_view Value = Text.substr(Colon + 1);
    if (!Value.empty() && Value[0] == ' ')
      Value.remove_prefix(1);
    Next.Fields.push_back({Text.substr(0, Colon), Value});
  }
  return !Next.Fields.empty();
}
