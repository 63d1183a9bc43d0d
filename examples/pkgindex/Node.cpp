//===- pkgindex/Node.cpp - The factory of records -------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only place that allocates records.
//
//===----------------------------------------------------------------------===//

#include "Node.h"

using namespace pkgindex;

static size_t LiveNodes = 0;

namespace {

/// Counts a record, unless making it fails.
class CountedNode {
public:
  CountedNode() { ++LiveNodes; }
  ~CountedNode() {
    if (!Made)
      --LiveNodes;
  }
  void made() { Made = true; }

private:
  bool Made = false;
};

} // namespace

template <typename T> T *pkgindex::make_node() {
  CountedNode Count;
  T *Node = new T();
  Count.made();
  return Node;
}

size_t pkgindex::nodeCount() { return LiveNodes; }

namespace pkgindex {
template Package *make_node<Package>();
template Details *make_node<Details>();
template Relation *make_node<Relation>();
template HistoryEntry *make_node<HistoryEntry>();
template OtherField *make_node<OtherField>();
} // namespace pkgindex
