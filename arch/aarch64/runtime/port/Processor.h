//===- aarch64/runtime/port/Processor.h - Instructions ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: Arm Architecture Reference Manual for A-profile, C5.2 (FPCR, FPSR),
// D24.10 (CNTVCT_EL0); the kernel's entry.S (system calls).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_PROCESSOR_H
#define THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_PROCESSOR_H

#include "arch/Processor.h"

namespace thermocline::runtime::arch {

inline long systemCall(long Number, long A, long B, long C, long D, long E,
                       long F) {
  register long X8 __asm__("x8") = Number;
  register long X0 __asm__("x0") = A;
  register long X1 __asm__("x1") = B;
  register long X2 __asm__("x2") = C;
  register long X3 __asm__("x3") = D;
  register long X4 __asm__("x4") = E;
  register long X5 __asm__("x5") = F;
  __asm__ volatile("svc #0"
                   : "+r"(X0)
                   : "r"(X8), "r"(X1), "r"(X2), "r"(X3), "r"(X4), "r"(X5)
                   : "memory");
  return X0;
}

/// yield does nothing on most processors; isb waits about as long as a pause.
inline void relax() { __asm__ volatile("isb" : : : "memory"); }

/// Neither this nor what it orders is worth a barrier: a reading that is a few
/// instructions early is as good.
inline uint64_t cycles() {
  uint64_t Count;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(Count));
  return Count;
}

/// All CPUs have the system's counter.
inline bool cyclesAreSteady() { return true; }

/// By eight bytes as long as there are as many, wherever they lie: only memory
/// of devices would have to be aligned. The assembly without text keeps the
/// compiler from making a call of it.
inline void copyBytes(void *To, const void *From, size_t Size) {
  auto *T = static_cast<char *>(To);
  auto *F = static_cast<const char *>(From);
  for (; Size >= sizeof(uint64_t); Size -= sizeof(uint64_t)) {
    uint64_t Word;
    __builtin_memcpy(&Word, F, sizeof(Word));
    __builtin_memcpy(T, &Word, sizeof(Word));
    T += sizeof(Word);
    F += sizeof(Word);
    __asm__ volatile("" : "+r"(T), "+r"(F) : : "memory");
  }
  for (; Size; --Size) {
    *T++ = *F++;
    __asm__ volatile("" : "+r"(T), "+r"(F) : : "memory");
  }
}

inline void fillBytes(void *To, int Byte, size_t Size) {
  auto *T = static_cast<char *>(To);
  const uint64_t Word = static_cast<uint8_t>(Byte) * 0x0101010101010101u;
  for (; Size >= sizeof(Word); Size -= sizeof(Word)) {
    __builtin_memcpy(T, &Word, sizeof(Word));
    T += sizeof(Word);
    __asm__ volatile("" : "+r"(T) : : "memory");
  }
  for (; Size; --Size) {
    *T++ = static_cast<char>(Byte);
    __asm__ volatile("" : "+r"(T) : : "memory");
  }
}

struct FloatingPointState {
  uint64_t Control;
  uint64_t Status;
};
inline FloatingPointState floatingPointState() {
  FloatingPointState Result;
  __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr"
                   : "=r"(Result.Control), "=r"(Result.Status));
  return Result;
}
inline void setFloatingPointState(FloatingPointState State) {
  __asm__ volatile("msr fpcr, %0\n\tmsr fpsr, %1"
                   :
                   : "r"(State.Control), "r"(State.Status));
}
inline FloatingPointState defaultFloatingPointState() { return {0, 0}; }

} // namespace thermocline::runtime::arch

#endif
