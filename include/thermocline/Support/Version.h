//===- Support/Version.h - What version this is -----------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_VERSION_H
#define THERMOCLINE_SUPPORT_VERSION_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace thermocline {

/// Thermocline's own version, "0.1.0".
llvm::StringRef version();

/// Prints "TOOL (Thermocline 0.1.0, LLVM 22.1.8)", for `--version` of every
/// tool.
void printVersion(llvm::raw_ostream &OS, llvm::StringRef Tool);

} // namespace thermocline

#endif
