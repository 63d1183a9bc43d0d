//===- thermo-lto/RunSettings.h - What options of run mean ---- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_RUNSETTINGS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_RUNSETTINGS_H

#include "Commands.h"
#include "thermocline/Support/FileRoles.h"
#include "llvm/LTO/Config.h"
#include <atomic>

namespace thermocline::tools {

/// Makes the configuration of LLVM's LTO, which sets \p HadError when it has
/// reported an error.
llvm::Expected<llvm::lto::Config> makeConfig(const RunCommand &O,
                                             std::atomic<bool> &HadError);

/// All files that the link writes, and those that it reads beside the modules.
FileRoles filesOf(const RunCommand &O);

} // namespace thermocline::tools

#endif
