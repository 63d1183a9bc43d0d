//===- arch/Processor.h - What a processor does by instructions -*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each header of this folder says what the runtime needs of a port, and
// includes port/ with the same name. That is in the folder of the architecture
// that is built for, arch/NAME/runtime, with all that knows the processor.
//
// What is declared here, port/Processor.h defines as inline functions. They use
// nothing of libc, and are called on the hottest paths.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_PROCESSOR_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_PROCESSOR_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::runtime::arch {

/// The system call \p Number. \returns its result, or -errno. Leaves errno
/// alone.
long systemCall(long Number, long A, long B, long C, long D, long E, long F);

/// Tells the processor that the thread waits for another one's store.
void relax();

/// A counter that goes up with time, on each CPU: ThreadClock finds out how
/// fast.
uint64_t cycles();
/// Whether it has the same rate in all states of the CPU.
bool cyclesAreSteady();

/// Copies bytes upwards, from and to any addresses. Calls no function: the
/// program's memcpy counts.
void copyBytes(void *To, const void *From, size_t Size);
/// Sets bytes. Calls no function.
void fillBytes(void *To, int Byte, size_t Size);

/// How floating-point arithmetic rounds, what it traps, and which exceptions it
/// has noted.
struct FloatingPointState;
FloatingPointState floatingPointState();
void setFloatingPointState(FloatingPointState State);
/// As in a new program: nothing is trapped and nothing noted.
FloatingPointState defaultFloatingPointState();

} // namespace thermocline::runtime::arch

#include "port/Processor.h"

#endif
