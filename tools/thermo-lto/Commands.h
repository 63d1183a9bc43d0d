//===- thermo-lto/Commands.h - The subcommands ---------------- -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_LTO_COMMANDS_H
#define THERMOCLINE_TOOLS_THERMO_LTO_COMMANDS_H

#include "llvm/Support/Error.h"

namespace thermocline::tools {

/// Links bitcode modules with given symbol resolutions. The command line was
/// parsed. Returns the exit status.
llvm::Expected<int> runCommand();

/// Prints what decisions do to every context. Returns the exit status: 1 if a
/// context profiled not-cold is hinted cold.
llvm::Expected<int> auditCommand();

/// Lists decisions, or what is left of them in finished code. Returns the exit
/// status.
llvm::Expected<int> decisionsCommand();

/// Says in words what was decided of a part of the link, and why. Returns the
/// exit status.
llvm::Expected<int> explainCommand();

/// Draws decisions. Returns the exit status.
llvm::Expected<int> dotCommand();

} // namespace thermocline::tools

#endif
