//===- profile/process/Fatal.h - Errors that end the program ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_FATAL_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_FATAL_H

namespace thermocline::runtime::sys {

/// Prints "Thermocline: MESSAGE" and aborts.
[[noreturn]] void fatal(const char *Message);
/// The same for an error of the program's, which may want to be told:
/// __memprof_on_error and \p Callback are called first.
[[noreturn]] void fatalMisuse(const char *Message);
void setDeathCallback(void (*Callback)());

} // namespace thermocline::runtime::sys

#endif
