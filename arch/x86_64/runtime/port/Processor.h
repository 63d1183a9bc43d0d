//===- x86_64/runtime/port/Processor.h - Instructions -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: AMD64 Architecture Programmer's Manual, volumes 1 and 3; System V ABI
// for AMD64, A.2 (system calls).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_PROCESSOR_H
#define THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_PROCESSOR_H

#include "arch/Processor.h"
#include <cpuid.h>

namespace thermocline::runtime::arch {

inline long systemCall(long Number, long A, long B, long C, long D, long E,
                       long F) {
  long Result;
  register long R10 __asm__("r10") = D;
  register long R8 __asm__("r8") = E;
  register long R9 __asm__("r9") = F;
  __asm__ volatile("syscall"
                   : "=a"(Result)
                   : "a"(Number), "D"(A), "S"(B), "d"(C), "r"(R10), "r"(R8),
                     "r"(R9)
                   : "rcx", "r11", "memory");
  return Result;
}

inline void relax() { __builtin_ia32_pause(); }

inline uint64_t cycles() { return __builtin_ia32_rdtsc(); }

inline bool cyclesAreSteady() {
  unsigned A, B, C, D;
  return __get_cpuid(0x80000007, &A, &B, &C, &D) && (D & (1u << 8));
}

inline void copyBytes(void *To, const void *From, size_t Size) {
  __asm__ volatile("rep movsb" : "+D"(To), "+S"(From), "+c"(Size) : : "memory");
}

inline void fillBytes(void *To, int Byte, size_t Size) {
  __asm__ volatile("rep stosb" : "+D"(To), "+c"(Size) : "a"(Byte) : "memory");
}

struct FloatingPointState {
  unsigned Mxcsr;
};
inline FloatingPointState floatingPointState() {
  return {__builtin_ia32_stmxcsr()};
}
inline void setFloatingPointState(FloatingPointState State) {
  __builtin_ia32_ldmxcsr(State.Mxcsr);
}
inline FloatingPointState defaultFloatingPointState() {
  return {0x1F80}; // All exceptions masked, no flags.
}

} // namespace thermocline::runtime::arch

#endif
