//===- Report/Explain.h - Decisions in words --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Explains one function, call, allocation or context: what was decided, which
// contexts asked for it, and, if nothing was done, why and what would help.
// docs/explain.md has examples. Called by `thermo-lto explain`.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_REPORT_EXPLAIN_H
#define THERMOCLINE_REPORT_EXPLAIN_H

#include "thermocline/Report/Query.h"

namespace thermocline::report {

/// The most contexts that one list names; the rest is counted.
constexpr size_t MaxContextsNamed = 10;

/// Explains \p What, a subject found in \p View.
void explain(const LinkView &View, const Subject &What, llvm::raw_ostream &OS);

} // namespace thermocline::report

#endif
