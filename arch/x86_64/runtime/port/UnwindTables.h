//===- x86_64/runtime/port/UnwindTables.h - Unwind tables -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Source: System V ABI for AMD64, 3.7 (DWARF register numbers).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_UNWINDTABLES_H
#define THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_UNWINDTABLES_H

#include "arch/UnwindTables.h"

namespace thermocline::runtime::arch {

enum : uint64_t { BaseRegister = 6, StackRegister = 7, ReturnColumn = 16 };

constexpr uint8_t SignalReturnBytes[] = {
    0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, // mov $15, %rax
    0x0f, 0x05,                      // syscall
};
constexpr bool SignalReturnHasEntry = true;

inline bool isKnownAugmentation(char) { return false; }
inline bool isKnownInstruction(uint8_t) { return false; }

/// Understands only the expression for a procedure linkage table (.plt), of
/// stubs of 16 bytes each: the stack pointer + 8, and 8 more where a stub has
/// pushed its number.
inline bool readStubExpression(const uint8_t *Expression, size_t Size,
                               uintptr_t Address, int64_t &CfaOffset) {
  enum Operation : uint8_t {
    DW_OP_and = 0x1a,
    DW_OP_plus = 0x22,
    DW_OP_shl = 0x24,
    DW_OP_ge = 0x2a,
    DW_OP_lit0 = 0x30,
    DW_OP_lit3 = 0x33,
    DW_OP_lit15 = 0x3f,
    DW_OP_breg7 = 0x77,
    DW_OP_breg16 = 0x80,
  };
  static constexpr uint8_t OfStubs[] = {
      DW_OP_breg7, 8,        DW_OP_breg16, 0,         DW_OP_lit15, DW_OP_and,
      DW_OP_lit0,  DW_OP_ge, DW_OP_lit3,   DW_OP_shl, DW_OP_plus};
  if (Size != sizeof(OfStubs))
    return false;
  unsigned Pushed = 0;
  for (size_t I = 0; I != Size; ++I) {
    // Linkers differ in the byte of a stub from which on its number is pushed.
    if (OfStubs[I] == DW_OP_lit0) {
      Pushed = Expression[I] - unsigned(DW_OP_lit0);
      if (Pushed >= 16)
        return false;
    } else if (Expression[I] != OfStubs[I]) {
      return false;
    }
  }
  CfaOffset = Address % 16 >= Pushed ? 16 : 8;
  return true;
}

} // namespace thermocline::runtime::arch

#endif
