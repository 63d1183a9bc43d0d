//===- Support/Tools/Gates.h - What CI is told of checks --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A gate is a check that the user asks for and that ends a command with an exit
// status of its own. CI servers show such checks if they are told of them as of
// tests, in the XML of JUnit.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_SUPPORT_TOOLS_GATES_H
#define THERMOCLINE_SUPPORT_TOOLS_GATES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace thermocline {

/// The exit status of a command that found what a gate refuses.
inline constexpr int ExitOfGate = 3;

struct GateResult {
  /// What was checked: "processor time".
  std::string Name;
  /// What was seen, in a line.
  std::string Seen;
  bool HasFailed = false;
};

/// Writes \p Path, a file that CI servers read as results of tests. \p Suite
/// names all of them: "thermocline compare".
llvm::Error writeJUnit(llvm::StringRef Path, llvm::StringRef Suite,
                       llvm::ArrayRef<GateResult> Results);

} // namespace thermocline

#endif
