//===- Program/ReadProgram.h - Reads a program in this process --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ProgramReader does in its child, beside readFacts() (ProgramFacts.h).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_LIB_PROFILE_PROGRAM_READPROGRAM_H
#define THERMOCLINE_LIB_PROFILE_PROGRAM_READPROGRAM_H

#include "thermocline/Profile/Program/FunctionNames.h"
#include "thermocline/Profile/Program/ProgramFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace thermocline::profile {

bool readWhetherBuiltForProfiles(llvm::StringRef Path);

/// Calls \p Add with the name of each function of \p Path, and with the place
/// of those whose place is read. Problems are of its debug files, and
/// of its debug information.
llvm::Error readNames(
    llvm::StringRef Path, llvm::ArrayRef<std::string> DebugDirectories,
    NameDetail Wanted,
    llvm::function_ref<void(llvm::StringRef Name, FunctionPlace Place)> Add,
    llvm::function_ref<void(const std::string &)> Problem);

} // namespace thermocline::profile

#endif
