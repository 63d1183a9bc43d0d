//===- unit/Context/Oracle.h - What can be told apart, by force -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides from first principles, for small programs, which cold contexts any
// decisions could hint. It lists every chain of callsites of every context and
// compares all pairs: with a version for each history, a cold chain fails only
// if a not-cold chain to the same allocation must run in the same version.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TEST_CONTEXT_ORACLE_H
#define THERMOCLINE_TEST_CONTEXT_ORACLE_H

#include "thermocline/Context/ContextProgram.h"
#include <optional>

namespace thermocline::context {

/// By ContextId: whether it is profiled cold and all its chains can be hinted.
/// Nothing if a context has more chains than the comparison of pairs can bear.
std::optional<std::vector<bool>> canBeHinted(const ContextProgram &Program);

} // namespace thermocline::context

#endif
