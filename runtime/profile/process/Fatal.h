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
/// Prints and aborts in the same way, for an error of the program's. First
/// calls __memprof_on_error and \p Callback, by which the program may learn of
/// it.
[[noreturn]] void fatalMisuse(const char *Message);
void setDeathCallback(void (*Callback)());

} // namespace thermocline::runtime::sys

#endif
