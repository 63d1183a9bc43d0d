//===- Instrument/Options.h - What the stage is asked --------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_INSTRUMENT_OPTIONS_H
#define THERMOCLINE_INSTRUMENT_OPTIONS_H

#include <string>
#include <vector>

namespace thermocline::instrument {

/// What the plugin's command line asks for. Unit tests fill it by hand.
struct InstrumentOptions {
  /// Count accesses at all. Without it the passes are not even added.
  bool Enabled = false;

  /// Describe the calls of the source in the program: for profiles of programs
  /// that are not instrumented.
  bool DescribesCalls = false;

  /// Keep each call where the source has it up to the machine code, for the
  /// same profiles.
  bool KeepsCalls = false;

  /// Print to stderr, for each module, what was counted, what was not and why.
  bool PrintStats = false;

  /// Make one update of several where the sum over each allocation stays as it
  /// is. Without it, each access is one update of its own granule's counter.
  bool MergeUpdates = true;

  /// Leave out what clang's -fmemory-profile leaves out though it may touch the
  /// heap (gathers, scatters and their like), and let like calls become one.
  bool LikeLlvm = false;

  /// Count only in memory of sampled allocations. Which are sampled, and
  /// whether all are, the runtime decides.
  bool Sampling = false;

  /// Count for histograms: a byte that stays at 255 for each 8 bytes of memory,
  /// in place of 8 bytes for 64. All modules of a program have to agree.
  bool Histogram = false;

  /// The linker compiles the module, whose own compiler loads no plugin.
  bool IsInLink = false;

  /// Tell the types that clang's -fsanitize=alloc-token finds, and let nothing
  /// else of that sanitizer happen.
  bool TakeTypes = false;

  /// Where the instrumented program writes its profile unless its environment
  /// says otherwise; empty for the runtime's default (memprof.profraw.PID in
  /// the working directory).
  std::string ProfileFileName;

  /// Options of the runtime, in the syntax of MEMPROF_OPTIONS, that hold
  /// unless the program's environment says otherwise.
  std::string RuntimeOptions;

  /// Options of LLVM's own instrumentation that were given and have no meaning
  /// here.
  std::vector<std::string> WithoutMeaning;
};

} // namespace thermocline::instrument

#endif
