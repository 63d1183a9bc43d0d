//===- x86_64/test/SingleStep.h - A signal for each instruction -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_TEST_SINGLESTEP_H
#define THERMOCLINE_ARCH_X86_64_TEST_SINGLESTEP_H

namespace thermocline::port {

/// Registers that functions save for their callers, but for the stack pointer:
/// what an asm statement may say that it changes.
#define THERMOCLINE_SAVED_REGISTERS "rbx", "r12", "r13", "r14", "r15", "rbp"

/// The processor raises SIGTRAP after each instruction of \p Run.
template <typename Action> void singleStep(Action Run) {
  asm volatile("pushf\n orl $0x100, (%%rsp)\n popf" ::: "memory", "cc");
  Run();
  asm volatile("pushf\n andl $~0x100, (%%rsp)\n popf" ::: "memory", "cc");
}

} // namespace thermocline::port

#endif
