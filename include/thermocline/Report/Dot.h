//===- Report/Dot.h - Decisions as a picture --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws versions of functions and the calls between them that contexts take, in
// the language of Graphviz. Called by ld.lld and `thermo-lto dot`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_DOT_H
#define THERMOCLINE_REPORT_DOT_H

#include "thermocline/Report/Query.h"

namespace thermocline::report {

struct DotOptions {
  /// The most versions to draw; those with most bytes are drawn. A larger
  /// picture is of no use, and dot takes very long for it.
  size_t MaxNodes = 500;
};

/// How much is left out of a picture. The picture says so as well.
struct DotResult {
  size_t Nodes = 0;
  size_t NodesLeftOut = 0;
};

/// Draws what the contexts of \p Subjects run through. Without subjects, draws
/// what the contexts of allocations run through that are hinted cold in some
/// version. Subjects themselves are drawn bold. The same view gives the same
/// bytes.
DotResult writeDot(const LinkView &View, llvm::ArrayRef<Subject> Subjects,
                   const DotOptions &Options, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
