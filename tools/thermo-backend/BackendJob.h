//===- thermo-backend/BackendJob.h - The one compile asked for -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line is clang's, and clang's driver makes of it what clang -cc1
// would be given: target, CPU, features, relocation model, and every other
// option mean what they mean there. Only what is no ThinLTO backend compile is
// refused.
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

/// What clang's driver makes of \p Arguments, argv with its program name.
/// Nothing if all was said already: errors of the driver are printed as clang
/// prints them, and `-###` asks for no more than the line. \p Status is the
/// exit status then. An error is returned where the command line asks for
/// anything but one compile.
llvm::Expected<std::optional<CompilerArguments>>
makeBackendJob(llvm::ArrayRef<const char *> Arguments, int &Status);

} // namespace thermocline::tools

#endif
