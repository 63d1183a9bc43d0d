//===- pkgindex/QueryStream.h - A long run of queries -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream of queries that is the same on every run: some packages are asked
// about much more often than others.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_QUERYSTREAM_H
#define PKGINDEX_QUERYSTREAM_H

#include "Queries.h"

namespace pkgindex {

/// Asks Count queries and returns what they found.
Answer askQueries(Database &DB, uint64_t Count, uint64_t Seed);

} // namespace pkgindex

#endif
