//===- x86_64/runtime/port/Frames.h - Frames --------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: System V ABI for AMD64, 3.2.2 (stack frame), 3.4.1 (outermost frame);
// the kernel's struct rt_sigframe.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_FRAMES_H
#define THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_FRAMES_H

#include "arch/Frames.h"
#include <ucontext.h>

namespace thermocline::runtime::arch {

struct Caller {
  const uintptr_t *Frame;
  uintptr_t ReturnAddress;
  /// The frame ends with its record.
  static constexpr uintptr_t ownCode() { return 0; }
};

#define THERMOCLINE_CALLER                                                     \
  (::thermocline::runtime::arch::Caller{                                       \
      static_cast<const uintptr_t *>(__builtin_frame_address(0)),              \
      reinterpret_cast<uintptr_t>(__builtin_return_address(0))})

constexpr intptr_t RecordOffset = 0;

constexpr bool CallPushesReturn = true;

/// When a function has taken the caller's register from the stack, the table
/// says that it still is there.
constexpr uintptr_t RedZoneBytes = 128;

inline uintptr_t returnAddress(uintptr_t Saved) { return Saved; }

/// The stack pointer is at a ucontext_t, as the handler has taken its return
/// address from the stack.
struct SavedRegisters {
  static constexpr uintptr_t Base =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RBP * sizeof(greg_t);
  static constexpr uintptr_t Pointer =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RSP * sizeof(greg_t);
  static constexpr uintptr_t Code =
      offsetof(ucontext_t, uc_mcontext.gregs) + REG_RIP * sizeof(greg_t);
};
// These offsets are part of the kernel's ABI.
static_assert(SavedRegisters::Base == 120 && SavedRegisters::Pointer == 160 &&
              SavedRegisters::Code == 168);

} // namespace thermocline::runtime::arch

#endif
