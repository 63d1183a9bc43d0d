//===- thermo-backend/BackendJob.h - The one compile asked for -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line is clang's. Clang's driver turns it into the arguments of
// clang -cc1, so that target, CPU, features, relocation model, and every other
// option mean what they mean there. Only a command line that is no ThinLTO
// backend compile is refused.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_BACKEND_BACKENDJOB_H
#define THERMOCLINE_TOOLS_THERMO_BACKEND_BACKENDJOB_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace thermocline::tools {

/// Arguments of `clang -cc1`, without these two words.
using CompilerArguments = std::vector<std::string>;

/// Lets clang's driver turn \p Arguments, which are argv with the program name,
/// into arguments of clang -cc1. Returns nothing if there is nothing left to
/// do: errors of the driver are printed as clang prints them, and `-###` asks
/// only for the line. \p Status is the exit status then. Returns an error if
/// the command line asks for anything but one compile.
llvm::Expected<std::optional<CompilerArguments>>
makeBackendJob(llvm::ArrayRef<const char *> Arguments, int &Status);

} // namespace thermocline::tools

#endif
