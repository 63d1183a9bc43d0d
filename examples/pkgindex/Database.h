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
#include <utility>
#include <vector>

namespace pkgindex {

class Database {
public:
  /// Names of packages and of what they need or provide.
  NameTable &names() { return Names; }
  const NameTable &names() const { return Names; }
  /// Names that occur only in relations kept in Details.
  NameTable &detailNames() { return DetailNames; }
  const std::vector<Package *> &packages() const { return Packages; }

  /// Adds a package; of two of the same name the first stays. Whether it was
  /// added.
  bool add(Package *Added);
  /// Notes that P provides the virtual package Name; the first provider stays.
  void addProvider(NameId Name, Package *P);
  /// Call when all packages are there, before any query: fills NeededBy and
  /// the sorted list.
  void link();

  /// The first package that satisfies a clause, and how many of the clause's
  /// alternatives are satisfied.
  struct Resolution {
    Package *Chosen = nullptr;
    uint32_t Choices = 0;
  };
  Resolution resolve(const Relation &Clause) const;
  /// Packages whose lower-case name starts with Prefix, in order of names.
  std::pair<size_t, size_t> prefixRange(std::string_view Prefix) const;
  const Package &sorted(size_t Place) const { return *Sorted[Place]; }
  /// The number of the next query, for Package::Mark.
  uint32_t nextMark() { return ++LastMark; }

private:
  Package *satisfying(const Relation &Choice) const;

  NameTable Names;
  NameTable DetailNames;
  std::vector<Package *> Packages;
  std::vector<Package *> Installed; ///< By NameId; null where there is none.
  std::vector<Package *> Sorted;    ///< By Key.
  std::vector<Package *> Providers; ///< By NameId; null where there is none.
  uint32_t LastMark = 0;
};

} // namespace pkgindex

#endif
