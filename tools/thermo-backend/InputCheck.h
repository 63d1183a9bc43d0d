//===- thermo-backend/InputCheck.h - Index and module fit ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A build system hands module and index to a backend as two files, and nothing
// in clang keeps it from handing the wrong ones: it would compile a module with
// another's index as if nothing of it were needed. The module repeats the
// summaries that the thin link read, so that index and module can be compared
// before anything is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_TOOLS_THERMO_BACKEND_INPUTCHECK_H
#define THERMOCLINE_TOOLS_THERMO_BACKEND_INPUTCHECK_H

#include "thermocline/Support/FileRoles.h"
#include "llvm/Support/Error.h"

namespace thermocline::tools {

/// Checks that \p IndexFile can be read, and is what a thin link wrote for the
/// module \p ModuleFile as it is now, and that the modules that it imports from
/// are there. An empty index, which stands for none, and that of a module that
/// nothing needs fit every module. The error names file and function.
/// What the index names is entered into \p Files and must not be written.
llvm::Error checkInputs(llvm::StringRef ModuleFile, llvm::StringRef IndexFile,
                        FileRoles &Files);

} // namespace thermocline::tools

#endif
