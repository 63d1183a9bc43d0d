//===- pkgindex/NameTable.h - Each name once --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives names small numbers, so that relations and queries need not compare
// text.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_NAMETABLE_H
#define PKGINDEX_NAMETABLE_H

#include "Package.h"
#include "StringArena.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace pkgindex {

class NameTable {
public:
  /// The number of the name Base + Suffix, which is added if it is new.
  NameId intern(std::string_view Base, std::string_view Suffix);
  /// Call when the last name is there: drops what only intern needs.
  void freeze();
  std::string_view text(NameId Name) const { return Texts[Name]; }
  size_t size() const { return Texts.size(); }

private:
  TextStore Store;
  std::vector<std::string_view> Texts;
  std::unordered_map<std::string_view, NameId> Index;
  std::vector<char> Joined; ///< Scratch of intern.
};

} // namespace pkgindex

#endif
