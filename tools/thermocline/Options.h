//===- thermocline/Options.h - The tool's command line ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMOCLINE_OPTIONS_H
#define THERMOCLINE_TOOLS_THERMOCLINE_OPTIONS_H

#include "Commands.h"
#include <variant>

namespace thermocline::front {

using Command = std::variant<RecordCommand, ReportCommand, CompareCommand>;

/// Reads the command line. What comes after the first "--" is left alone: it is
/// another program's. --help and --version end the program.
llvm::Expected<Command> parseCommandLine(int ArgumentCount,
                                         char **ArgumentValues);

} // namespace thermocline::front

#endif
