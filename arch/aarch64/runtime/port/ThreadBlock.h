//===- aarch64/runtime/port/ThreadBlock.h - Thread blocks -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: ELF Handling For Thread-Local Storage, variant I; glibc's struct
// pthread, which ends at the thread register. There tcbhead_t follows, and
// variables lie above it. What guards stacks and pointers is not there.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_THREADBLOCK_H
#define THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_THREADBLOCK_H

#include "arch/ThreadBlock.h"

namespace thermocline::runtime::arch {

struct StackRecord {
  /// The block is not longer, whatever libc's version.
  static constexpr intptr_t Begin = -4096;
  static constexpr intptr_t End = 0;
  static constexpr uintptr_t MinAbove = 16;
  /// The program's and its libraries' variables.
  static constexpr uintptr_t MaxAbove = 1 << 20;
};

/// Above, tcbhead_t is among what is counted from the register anyway.
struct ThreadRoom {
  static constexpr size_t Below = 8192;
  static constexpr size_t Above = 0;
};
constexpr bool VariablesAreAbove = true;

/// Zeros say that there is one thread, and no variables of modules that were
/// loaded later.
inline void initializeThreadBlock(void *) {}

} // namespace thermocline::runtime::arch

#endif
