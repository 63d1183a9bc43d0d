//===- pkgindex/Queries.h - Questions to the database -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kinds of query. Each adds what it finds to an Answer.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_QUERIES_H
#define PKGINDEX_QUERIES_H

#include "Database.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace pkgindex {

/// What the queries found, folded into numbers.
struct Answer {
  uint64_t Queries = 0;
  uint64_t Found = 0; ///< Packages.
  uint64_t Checksum = 0xcbf29ce484222325;

  void add(const Database &DB, const Package &P);
  void addNumber(uint64_t Number);
  void addText(std::string_view Text);
};

class Query {
public:
  virtual ~Query() = default;
  virtual const char *name() const = 0;
  /// Asks about Subject.
  virtual void ask(Database &DB, Package &Subject, Answer &To) = 0;
};

/// All kinds, in the order in which QueryStream numbers them: dependency
/// closure, reverse dependencies, prefix search, substring search, consistency,
/// most needed.
std::vector<std::unique_ptr<Query>> makeQueries();

} // namespace pkgindex

#endif
