//===- arch/UnwindTables.h - A processor's part of unwind tables *- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// port/UnwindTables.h defines:
//
//   BaseRegister, StackRegister, ReturnColumn
//                        registers by their DWARF numbers
//   SignalReturnBytes    the code of the system call that returns from a signal
//                        handler
//   SignalReturnHasEntry whether there always is an entry for that code, which
//                        says that a signal frame follows. If not, the code is
//                        looked at
//
// and the functions that are declared here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_UNWINDTABLES_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_UNWINDTABLES_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::runtime::arch {

/// Whether \p Letter of a CIE's augmentation, which has no data, changes
/// nothing that a walk needs.
bool isKnownAugmentation(char Letter);
/// Whether \p Instruction is the processor's own, has no operands, and changes
/// nothing that a walk needs.
bool isKnownInstruction(uint8_t Instruction);
/// Whether \p Expression is one that linkers write for their stubs. Sets \p
/// CfaOffset to the distance of the canonical frame address from the stack
/// pointer at \p Address.
bool readStubExpression(const uint8_t *Expression, size_t Size,
                        uintptr_t Address, int64_t &CfaOffset);

} // namespace thermocline::runtime::arch

#include "port/UnwindTables.h"

#endif
