//===- thermo-backend/InputCheck.h - Index and module fit ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build system gives module and index to a backend as two files. If they do
// not belong together, clang does not notice: it would compile a module with
// another's index as if nothing of the module were needed. But the module
// repeats the summaries that the thin link read. So index and module can be
// compared before anything is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_BACKEND_INPUTCHECK_H
#define THERMOCLINE_TOOLS_THERMO_BACKEND_INPUTCHECK_H

#include "thermocline/Support/FileRoles.h"
#include "llvm/Support/Error.h"
#include "llvm/TargetParser/Triple.h"
#include <string>

namespace thermocline::tools {

/// The target that the module \p ModuleFile is for. Empty if the module does
/// not say, or cannot be read, which checkInputs() reports.
std::string targetOfModule(llvm::StringRef ModuleFile);

/// Checks that \p IndexFile can be read, that a thin link wrote it for the
/// module \p ModuleFile as it is now, that this is for the architecture of
/// \p Target, and that the modules that it imports from are there. An empty
/// index stands for none and fits every module. So does the index of a module
/// that nothing needs. The error names file and function. The files that the
/// index names are entered into \p Files, because they must not be written.
llvm::Error checkInputs(llvm::StringRef ModuleFile, llvm::StringRef IndexFile,
                        const llvm::Triple &Target, FileRoles &Files);

} // namespace thermocline::tools

#endif
