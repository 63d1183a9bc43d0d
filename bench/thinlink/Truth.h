//===- bench/thinlink/Truth.h - What a program really does ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The context program of the calls that run, with every context whole: nothing
// is trimmed or pruned, and tail calls are frames as all others. Each context
// matches it in one way. Decisions made on less are judged by it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_THINLINK_TRUTH_H
#define THERMOCLINE_BENCH_THINLINK_TRUTH_H

#include "Lowering.h"
#include "thermocline/Context/ContextProgram.h"

namespace thermocline::bench {

/// \p Instructions by SourceFunctionId, as counted in the bitcode.
context::ContextProgram truthOf(const SourceProgram &Program,
                                llvm::ArrayRef<uint32_t> Instructions);

} // namespace thermocline::bench

#endif
