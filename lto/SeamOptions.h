//===- lto/SeamOptions.h - Options of a link ------------------ -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All options that the linker and the LTO tools add to LLVM's, in one place:
// `-mllvm -thermocline-…`. The options of LLVM's own context disambiguation,
// which vanish with it, stay accepted here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LTO_SEAMOPTIONS_H
#define THERMOCLINE_LTO_SEAMOPTIONS_H

#include "SummaryReader.h"
#include "thermocline/Apply/HintLowering.h"
#include "thermocline/Context/Engine.h"
#include <string>
#include <vector>

namespace thermocline::lto {

struct LinkOptions {
  ReaderOptions Reader;
  context::EngineOptions Engine;
  apply::HintOptions Hints;
  /// The program is linked with functions that take hints. The index of ThinLTO
  /// says so as well.
  bool SupportsHints = true;
  /// File for the report, format by extension; empty for none.
  std::string ReportFile;
  /// Print what was done to standard error.
  bool Statistics = false;
  /// Options of LLVM's pass that were given and mean nothing to ours.
  std::vector<std::string> WithoutEffect;

  /// What of this steers the backends beyond the decisions, as text; empty for
  /// the defaults. Part of what the ThinLTO cache knows a module by.
  std::string backendSettings() const;
};

/// The options as the command line has set them. Called after it was parsed.
LinkOptions linkOptions();

} // namespace thermocline::lto

#endif
