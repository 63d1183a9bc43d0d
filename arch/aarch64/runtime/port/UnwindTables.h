//===- aarch64/runtime/port/UnwindTables.h - Unwind tables ------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: DWARF for the Arm 64-bit Architecture, 4.1 (register numbers) and 4.3
// (signed return addresses); the kernel's vdso/sigreturn.S.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_UNWINDTABLES_H
#define THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_UNWINDTABLES_H

#include "arch/UnwindTables.h"

namespace thermocline::runtime::arch {

enum : uint64_t { BaseRegister = 29, StackRegister = 31, ReturnColumn = 30 };

constexpr uint8_t SignalReturnBytes[] = {
    0x68, 0x11, 0x80, 0xd2, // mov x8, #139
    0x01, 0x00, 0x00, 0xd4, // svc #0
};
/// Kernels since 5.9 have none.
constexpr bool SignalReturnHasEntry = false;

/// Signed with the key B, or with tags of memory in the frame.
inline bool isKnownAugmentation(char Letter) {
  return Letter == 'B' || Letter == 'G';
}

/// From here on return addresses are signed, or are not. They are stripped
/// always.
inline bool isKnownInstruction(uint8_t Instruction) {
  constexpr uint8_t DW_CFA_AARCH64_negate_ra_state_with_pc = 0x2c;
  constexpr uint8_t DW_CFA_AARCH64_negate_ra_state = 0x2d;
  return Instruction == DW_CFA_AARCH64_negate_ra_state ||
         Instruction == DW_CFA_AARCH64_negate_ra_state_with_pc;
}

/// Linkers' stubs use no stack, and have no entries.
inline bool readStubExpression(const uint8_t *, size_t, uintptr_t, int64_t &) {
  return false;
}

} // namespace thermocline::runtime::arch

#endif
