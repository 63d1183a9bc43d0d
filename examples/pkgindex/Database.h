//===- pkgindex/Database.h - All packages in memory -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The packages, found by name, by prefix and by number.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_DATABASE_H
#define PKGINDEX_DATABASE_H

#include "NameTable.h"
#include "Package.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace pkgindex {

class Database {
public:
  NameTable &names() { return Names; }
  const std::vector<Package *> &packages() const { return Packages; }

  /// Adds a package; of two of the same name the first stays. Whether it was
  /// added.
  bool add(Package *Added);
  /// Notes that P provides the virtual package Name.
  void addProvider(NameId Name, Package *P);
  /// Call when all packages are there, before any query: fills NeededBy and
  /// the sorted list.
  void link();

  /// The package that satisfies R, or null.
  Package *resolve(const Relation &R) const;
  /// Packages whose lower-case name starts with Prefix, in order of names.
  std::pair<size_t, size_t> prefixRange(std::string_view Prefix) const;
  const Package &sorted(size_t Place) const { return *Sorted[Place]; }
  /// The number of the next query, for Package::Mark.
  uint32_t nextMark() { return ++LastMark; }

private:
  NameTable Names;
  std::vector<Package *> Packages;
  std::vector<Package *> Installed; ///< By NameId; null where there is none.
  std::vector<Package *> Sorted;    ///< By Key.
  std::unordered_map<NameId, std::vector<Package *>> Providers;
  uint32_t LastMark = 0;
};

} // namespace pkgindex

#endif
