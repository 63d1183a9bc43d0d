//===- thermo-profdata/Options.h - The tool's command line ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_PROFDATA_OPTIONS_H
#define THERMOCLINE_TOOLS_THERMO_PROFDATA_OPTIONS_H

#include "Commands.h"
#include <variant>

namespace thermocline::profdata {

using Command =
    std::variant<MergeCommand, ShowCommand, AdviseCommand, ExportCommand,
                 ReportCommand, DiffCommand, AuditCommand>;

/// The command that the command line asks for. Does not return where LLVM's
/// parser ends the program: --help, --version, unknown options.
llvm::Expected<Command> parseCommandLine(int ArgumentCount,
                                         char **ArgumentValues);

} // namespace thermocline::profdata

#endif
