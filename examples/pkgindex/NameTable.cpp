//===- pkgindex/NameTable.cpp - Each name once ----------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The map's keys point into the store, which never moves a text.
//
//===----------------------------------------------------------------------===//

#include "NameTable.h"

using namespace pkgindex;

NameId NameTable::intern(std::string_view Base, std::string_view Suffix) {
  Joined.assign(Base.begin(), Base.end());
  Joined.insert(Joined.end(), Suffix.begin(), Suffix.end());
  std::string_view Name(Joined.data(), Joined.size());
  if (auto Known = Index.find(Name); Known != Index.end())
    return Known->second;

  std::string_view Kept(Store.keep(Name), Name.size());
  NameId Id = static_cast<NameId>(Texts.size());
  Texts.push_back(Kept);
  Index.emplace(Kept, Id);
  return Id;
}

void NameTable::freeze() {
  // Assigning {} would keep the memory.
  Index = std::unordered_map<std::string_view, NameId>();
  Joined = std::vector<char>();
}
