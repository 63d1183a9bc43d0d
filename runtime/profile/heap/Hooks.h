//===- profile/heap/Hooks.h - What the program wants called -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The malloc and free hooks of sanitizer/allocator_interface.h: functions that
// the program defines or installs. While one runs, what it allocates and frees
// itself calls none.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_HEAP_HOOKS_H
#define THERMOCLINE_RUNTIME_PROFILE_HEAP_HOOKS_H

#include <stddef.h>

namespace thermocline::runtime::hooks {

using MallocHook = void (*)(const volatile void *Address, size_t Size);
using FreeHook = void (*)(const volatile void *Address);

/// Whether the program defines any hooks.
bool areDefined();

/// \returns how many pairs are installed now, or 0 if there is no room for this
/// one.
int install(MallocHook Malloc, FreeHook Free);

/// Tells the hooks of \p Size bytes at \p Address, just allocated.
void allocated(const void *Address, size_t Size);

/// Tells the hooks that \p Address is about to be freed. \returns false if it
/// is to stay.
bool mayFree(const void *Address);

} // namespace thermocline::runtime::hooks

#endif
