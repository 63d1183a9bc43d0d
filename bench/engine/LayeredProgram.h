//===- bench/engine/LayeredProgram.h - Large random programs ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random programs in layers: every function calls some of the next layer, the
// last layer allocates, contexts are random walks from main.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_ENGINE_LAYEREDPROGRAM_H
#define THERMOCLINE_BENCH_ENGINE_LAYEREDPROGRAM_H

#include "thermocline/Context/ContextProgram.h"

namespace thermocline::bench {

struct LayeredOptions {
  uint64_t Seed = 1;
  uint32_t Layers = 10;
  /// Functions in a layer.
  uint32_t Width = 500;
  /// Calls of a function.
  uint32_t FanOut = 4;
  uint32_t Contexts = 100000;
  /// The share of calls that make every context through them cold, per mille.
  uint32_t ColdCallsPerMille = 50;
  /// Contexts are cold at random instead, each with probability one half.
  bool ColdAtRandom = false;
  /// Frames further out than where all contexts share one temperature are cut
  /// off, as clang's annotation does.
  bool Trim = false;
};

context::ContextProgram layeredProgram(const LayeredOptions &Options);

} // namespace thermocline::bench

#endif
