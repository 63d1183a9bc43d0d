//===- pkgindex/Node.h - The factory of records -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All records of the index are made by make_node, which counts them.
//
//===----------------------------------------------------------------------===//

#ifndef PKGINDEX_NODE_H
#define PKGINDEX_NODE_H

#include "Package.h"

#include <cstddef>

namespace pkgindex {

/// A new T with its default values. Throws std::bad_alloc.
template <typename T> T *make_node();

/// Records made so far.
size_t nodeCount();

extern template Package *make_node<Package>();
extern template Details *make_node<Details>();
extern template Relation *make_node<Relation>();
extern template HistoryEntry *make_node<HistoryEntry>();
extern template OtherField *make_node<OtherField>();

} // namespace pkgindex

#endif
