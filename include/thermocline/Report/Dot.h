//===- Report/Dot.h - Decisions as a picture -------------------- -*- C++
//-*-===//
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
  /// The most versions drawn: those through which most bytes go. A picture of
  /// more is of no use, and dot takes very long for it.
  size_t MaxNodes = 500;
};

/// What is left out of a picture, which says so itself as well.
struct DotResult {
  size_t Nodes = 0;
  size_t NodesLeftOut = 0;
};

/// Draws what the contexts that \p Subjects run through, or, without any, those
/// of allocations that are hinted cold in some version. Subjects themselves are
/// drawn bold. Same view, same bytes.
DotResult writeDot(const LinkView &View, llvm::ArrayRef<Subject> Subjects,
                   const DotOptions &Options, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
