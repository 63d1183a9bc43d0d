//===- alloc/entry/Statistics.h - Counters of hinted calls ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts hinted calls by kind and what became of them, and prints the counts
// when the process ends, if THERMOCLINE_ALLOC_STATS asks for it. Costs an
// addition in a hinted call, and nothing elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_STATISTICS_H
#define THERMOCLINE_ALLOC_STATISTICS_H

#include "abi/HintTable.h"
#include <cstddef>

namespace thermocline::alloc {

/// Counts a hinted call that asked for SizeBytes and got Result. A null Result,
/// which is a failed call, is not counted. Gives Result back.
void *count(Kind Called, void *Result, size_t SizeBytes);

/// Reads the environment. Called once, before main.
void startStatistics();

} // namespace thermocline::alloc

#endif
