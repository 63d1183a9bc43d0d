//===- Environment.h - What the program was started with --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The environment, for code that runs early. The first allocation may come
// before libc knows the environment, and there may be no /proc. Also, whoever
// starts a program that has more rights than he has must gain nothing by the
// environment that he gives it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_PROCESS_ENVIRONMENT_H
#define THERMOCLINE_RUNTIME_PROFILE_PROCESS_ENVIRONMENT_H

namespace thermocline::runtime {

/// Whether the program has more rights than who started it: set-user-id,
/// set-group-id, file capabilities (AT_SECURE).
bool hasMoreRights();

/// The value of the environment variable \p Name, or null.
const char *environmentVariable(const char *Name);

/// The name by which this program was started, without folders, as the kernel
/// put it on the stack. Null if it is not known.
const char *nameOfProgram();

/// Takes \p Name out of the environment, as libc does with its own variables in
/// a program that has more rights: the programs that it runs may have the same
/// rights, and no sign of it.
void removeEnvironmentVariable(const char *Name);

} // namespace thermocline::runtime

#endif
