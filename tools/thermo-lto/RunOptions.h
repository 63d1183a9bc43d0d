//===- thermo-lto/RunOptions.h - The options of a link --------- -*- C++
//-*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_RUNOPTIONS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_RUNOPTIONS_H

#include "Commands.h"
#include "llvm/Support/CommandLine.h"

namespace thermocline::tools {

/// The category of the options that `thermo-lto run` alone has.
llvm::cl::OptionCategory &runCategory();

/// The values of these options, once the command line is parsed.
RunCommand &runOptions();

} // namespace thermocline::tools

#endif
