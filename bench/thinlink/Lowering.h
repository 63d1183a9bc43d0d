//===- bench/thinlink/Lowering.h - Functions after inlining -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a function of the source once calls were inlined into it:
// calls and allocations, each with the frames of the calls that it came
// through. The bitcode and the truth are both written from this.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_THINLINK_LOWERING_H
#define THERMOCLINE_BENCH_THINLINK_LOWERING_H

#include "SourceProgram.h"
#include <string>

namespace thermocline::bench {

struct LoweredCall {
  SourceCallId Call;
  /// Its own frame, then those of the calls around it that were inlined.
  llvm::SmallVector<StackId, 2> Frames;
  /// Whether all these frames are in the profile, and where it has them.
  bool Profiled = false;
};

struct LoweredAllocation {
  SourceAllocationId Allocation;
  llvm::SmallVector<StackId, 2> Frames;
  /// Its contexts, of the program's; none if it was inlined into an edited
  /// function.
  llvm::ArrayRef<SourceContext> Contexts;
};

struct LoweredFunction {
  std::vector<LoweredAllocation> Allocations;
  std::vector<LoweredCall> Calls;
  /// Instructions beside calls.
  uint32_t Filler = 0;
};

/// \p F must not be one that is inlined everywhere.
LoweredFunction lower(const SourceProgram &Program, SourceFunctionId F);

/// The symbol of a function.
std::string symbolName(const SourceProgram &Program, SourceFunctionId F);

} // namespace thermocline::bench

#endif
