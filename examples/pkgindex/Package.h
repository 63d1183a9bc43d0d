//===- pkgindex/Package.h - What is known of a package ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The records of the index. A Package holds what queries look at; everything
// else that the status file says of it is kept in its Details.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_PACKAGE_H
#define PKGINDEX_PACKAGE_H

#include "strpool.h"

#include <cstdint>

namespace pkgindex {

/// Index into the table of names.
using NameId = uint32_t;

/// How a relation limits the version of its target.
enum class VersionTest : uint8_t {
  Any,
  Less,
  LessOrEqual,
  Equal,
  GreaterOrEqual,
  Greater
};

/// One alternative of a clause such as `libc6 (>= 2.36) | musl`. Clauses are
/// linked by NextClause, the alternatives of a clause by Alternative.
struct Relation {
  Relation *NextClause = nullptr;
  Relation *Alternative = nullptr;
  const char *Version = nullptr; ///< Null where Test is Any.
  NameId Target = 0; ///< In the table of the field's kind, see Database.h.
  VersionTest Test = VersionTest::Any;
};

/// A configuration file and the checksum it was shipped with.
struct Conffile {
  const char *Path;
  const char *Checksum;
};

/// One thing that happened to a package.
struct HistoryEntry {
  const char *Event;
  uint32_t Line; ///< Of the status file.
};

/// A field that has no place of its own.
struct OtherField {
  OtherField *Next;
  const char *Name;
  const char *Value;
};

/// What is kept of a package but hardly ever asked for.
struct Details {
  const char *Maintainer = nullptr;
  const char *Section = nullptr;
  const char *Priority = nullptr;
  const char *Homepage = nullptr;
  const char *Summary = nullptr;
  const char *Description = nullptr;
  Conffile *Conffiles = nullptr;
  uint32_t ConffileCount = 0;
  uint32_t InstalledKiB = 0;
  Relation *Provides = nullptr;
  Relation *Recommends = nullptr;
  Relation *Suggests = nullptr;
  Relation *Breaks = nullptr;
  Relation *Replaces = nullptr;
  Relation *Conflicts = nullptr;
  pool_list History = {}; ///< Of HistoryEntry.
  OtherField *Others = nullptr;
};

struct Package {
  const char *Key = nullptr; ///< The name in lower case, for searches.
  const char *Version = nullptr;
  Relation *Depends = nullptr; ///< Depends and Pre-Depends.
  pool_list NeededBy = {};     ///< Packages that depend on this one.
  Details *Info = nullptr;
  NameId Name = 0;
  uint32_t KeySize = 0;
  uint32_t Mark = 0; ///< Number of the last query that visited it.
};

} // namespace pkgindex

#endif
