//===- bench/thinlink/ModuleWriter.h - A program as bitcode -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes modules as a compiler leaves them after annotation: `!memprof` and
// `!callsite` on the calls, and the ThinLTO summary made from that.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_BENCH_THINLINK_MODULEWRITER_H
#define THERMOCLINE_BENCH_THINLINK_MODULEWRITER_H

#include "Lowering.h"
#include "llvm/Support/Error.h"

namespace thermocline::bench {

struct WriterOptions {
  /// Cut off outer frames of contexts, and prune them, as clang does.
  bool Trim = false;
  /// Else pack the contexts of allocations with at least so many; 0: none.
  unsigned LeastToPack = 0;
  /// Write packed contexts so that regular LTO finds them, too.
  bool RegularLTO = false;
  /// Targets of indirect calls have no counts (Annotate/CallTargets.h).
  bool Uncounted = false;
};

struct WriterResult {
  /// By SourceFunctionId: instructions after inlining; 0 for functions that are
  /// inlined everywhere.
  std::vector<uint32_t> Instructions;
  /// Contexts and their frames in the bitcode, after trimming.
  uint64_t MIBs = 0;
  uint64_t Frames = 0;
};

/// Writes m0.bc, m1.bc ... to \p Directory, one after the other so that only
/// one is in memory, and link.rsp: the files and symbol resolutions for
/// `llvm-lto2 run`, relative to \p Directory.
llvm::Expected<WriterResult> writeModules(const SourceProgram &Program,
                                          const WriterOptions &Options,
                                          llvm::StringRef Directory);

} // namespace thermocline::bench

#endif
