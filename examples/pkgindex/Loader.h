//===- pkgindex/Loader.h - From paragraphs to packages ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fills a database from a status file.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_LOADER_H
#define PKGINDEX_LOADER_H

#include "Database.h"
#include "StatusReader.h"
#include "StringArena.h"

#include <string_view>

namespace pkgindex {

class Loader {
public:
  explicit Loader(Database &DB) : DB(DB) {}

  /// Adds every package of the text. In copies other than the first, all names
  /// get the copy's number as suffix. Throws ParseError.
  void load(std::string_view Text, unsigned Copy);

private:
  void readPackage(const Paragraph &Stanza);
  bool readIndexedField(Package &P, const Field &F);
  bool readDetail(Details &Info, const Field &F);
  void readDescription(Details &Info, std::string_view Value);
  void readConffiles(Details &Info, std::string_view Value);
  void keepOther(Details &Info, const Field &F);
  void addHistory(Details &Info, const char *Event, uint32_t Line);
  Relation *provides(Package &P, std::string_view Value);
  Relation *relations(std::string_view Value, NameTable &Names);

  Database &DB;
  TextStore Texts;
  std::string_view Suffix;
};

} // namespace pkgindex

#endif
