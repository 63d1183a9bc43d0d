//===- Report/Page/Reduce.h - Sums of what is too small to list -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A page lists as many contexts as a browser can hold, the largest first. The
// others are summed up twice: at the deepest call from the root, and at the
// deepest from the allocation, that is large enough to be a box of the picture.
// So sums of a picture in either direction, or of a table of functions or
// places, are those of all contexts.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_REPORT_PAGE_REDUCE_H
#define THERMOCLINE_LIB_REPORT_PAGE_REDUCE_H

#include "thermocline/Report/Page.h"

namespace thermocline::report {

/// A tree of stacks.
struct StackTree {
  struct Node {
    /// The number of a node before this one; -1 at the top.
    int32_t Parent = -1;
    /// What the node stands for: a frame, or as -1 - N the function of frame N
    /// wherever in it.
    int32_t Frame = 0;
  };
  std::vector<Node> Nodes;
};

/// Stands for types that are too small to tell apart.
constexpr uint32_t SmallTypes = UINT32_MAX;

/// Contexts that are summed up at a node, or at no node (-1).
struct SummedContexts {
  int32_t Node = -1;
  uint32_t Outcome = 0;
  /// SmallTypes in RootSums.
  uint32_t Type = 0;
  uint64_t Contexts = 0;
  PageValues Values = {};
};

struct ReducedContexts {
  /// Indices of contexts to list, and their nodes in FromRoot.
  std::vector<std::pair<size_t, int32_t>> Listed;
  StackTree FromRoot, FromLeaf;
  std::vector<SummedContexts> RootSums, LeafSums;
};

ReducedContexts reduce(const PageModel &Page);

} // namespace thermocline::report

#endif
