//===- thermo-lto/Options.h - The tool's command line --------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of thermo-lto. `run` takes the options of `llvm-lto2 run`,
// and like that all of LLVM's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_OPTIONS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_OPTIONS_H

#include "Commands.h"
#include <variant>

namespace thermocline::tools {

using Command = std::variant<RunCommand, AuditCommand, ReportCommand,
                             DecisionsCommand, ExplainCommand, DotCommand>;

/// The command that the command line asks for. Prints help, version and errors
/// itself and exits then, as LLVM's tools do.
Command parseCommandLine(int argc, char **argv);

} // namespace thermocline::tools

#endif
