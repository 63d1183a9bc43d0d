//===- aarch64/runtime/port/Frames.h - Frames -------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Procedure Call Standard for AArch64, 6.4 (stack, frame records); the
// kernel's struct rt_sigframe.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_FRAMES_H
#define THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_FRAMES_H

#include "arch/Frames.h"
#include <signal.h>
#include <ucontext.h>

namespace thermocline::runtime::arch {

struct Caller {
  const uintptr_t *Frame;
  uintptr_t ReturnAddress;
  /// Where the record is in a frame is the function's affair.
  uintptr_t Code = 0;
  uintptr_t ownCode() const { return Code; }
};

/// An address of the code that it is called in.
[[gnu::always_inline]] inline uintptr_t thisCode() {
  uintptr_t Here;
  __asm__ volatile("adr %0, ." : "=r"(Here));
  return Here;
}

#define THERMOCLINE_CALLER                                                     \
  (::thermocline::runtime::arch::Caller{                                       \
      static_cast<const uintptr_t *>(__builtin_frame_address(0)),              \
      reinterpret_cast<uintptr_t>(__builtin_return_address(0)),                \
      ::thermocline::runtime::arch::thisCode()})

constexpr intptr_t RecordOffset = 0;

constexpr bool CallPushesReturn = false;

constexpr uintptr_t RedZoneBytes = 0;

/// Strips the signature by xpaclri, which does nothing where there are none. It
/// is a hint, so that older processors and assemblers know it as well.
inline uintptr_t returnAddress(uintptr_t Saved) {
  register uintptr_t X30 __asm__("x30") = Saved;
  __asm__("hint #7" : "+r"(X30));
  return X30;
}

/// The stack pointer is at a siginfo_t, which a ucontext_t follows.
struct SavedRegisters {
  static constexpr uintptr_t Context = sizeof(siginfo_t);
  static constexpr uintptr_t Base =
      Context + offsetof(ucontext_t, uc_mcontext.regs[29]);
  static constexpr uintptr_t Link =
      Context + offsetof(ucontext_t, uc_mcontext.regs[30]);
  static constexpr uintptr_t Pointer =
      Context + offsetof(ucontext_t, uc_mcontext.sp);
  static constexpr uintptr_t Code =
      Context + offsetof(ucontext_t, uc_mcontext.pc);
};
// These offsets are part of the kernel's ABI.
static_assert(SavedRegisters::Context == 128 && SavedRegisters::Base == 544 &&
              SavedRegisters::Link == 552 && SavedRegisters::Pointer == 560 &&
              SavedRegisters::Code == 568);

} // namespace thermocline::runtime::arch

#endif
