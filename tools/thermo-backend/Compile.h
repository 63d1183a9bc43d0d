//===- thermo-backend/Compile.h - A backend compile ------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_BACKEND_COMPILE_H
#define THERMOCLINE_TOOLS_THERMO_BACKEND_COMPILE_H

#include "BackendJob.h"
#include "llvm/Support/Error.h"

namespace thermocline::tools {

/// Does what `clang -cc1` with these \p Arguments would do, with Thermocline's
/// pass in place of LLVM's. Returns the exit status. Diagnostics are printed as
/// clang prints them. The output is written at the end and as a whole, or not
/// at all. \p CommandLine is what the program was given: its response files
/// must not be written.
llvm::Expected<int> compile(const CompilerArguments &Arguments,
                            llvm::ArrayRef<const char *> CommandLine);

} // namespace thermocline::tools

#endif
