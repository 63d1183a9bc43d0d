//===- x86_64/runtime/port/ThreadBlock.h - Thread blocks --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: ELF Handling For Thread-Local Storage, variant II; glibc's tcbhead_t
// and struct pthread, which begin at the thread register. Variables lie below.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_THREADBLOCK_H
#define THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_THREADBLOCK_H

#include "arch/ThreadBlock.h"

namespace thermocline::runtime::arch {

struct StackRecord {
  static constexpr intptr_t Begin = 0;
  /// The block is at least as long, whatever libc's version.
  static constexpr intptr_t End = 2048;
  static constexpr uintptr_t MinAbove = 2048;
  /// This includes the bytes that align it.
  static constexpr uintptr_t MaxAbove = 8192;
};

struct ThreadRoom {
  static constexpr size_t Below = 0;
  static constexpr size_t Above = 8192;
};
constexpr bool VariablesAreAbove = false;

/// As far as code relies on it.
struct ThreadBlock {
  /// Points to the block itself.
  ThreadBlock *Self;
  void *DynamicVariables;
  ThreadBlock *SelfAgain;
  int MultipleThreads;
  int Unused;
  uintptr_t SystemCalls;
  uintptr_t StackGuard;
  uintptr_t PointerGuard;
};

inline void initializeThreadBlock(void *Register) {
  const auto *Own = static_cast<ThreadBlock *>(__builtin_thread_pointer());
  auto *Block = static_cast<ThreadBlock *>(Register);
  Block->Self = Block->SelfAgain = Block;
  Block->MultipleThreads = Own->MultipleThreads;
  Block->StackGuard = Own->StackGuard;
  Block->PointerGuard = Own->PointerGuard;
}

} // namespace thermocline::runtime::arch

#endif
