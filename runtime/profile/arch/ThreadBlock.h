//===- arch/ThreadBlock.h - What the thread register points to --*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// port/ThreadBlock.h defines, by ELF Handling For Thread-Local Storage and by
// glibc:
//
//   StackRecord   where libc's record of a thread's stack lies, in bytes from
//                 the thread register: somewhere in [Begin, End); and how far
//                 beyond the register the stack's memory goes, [MinAbove,
//                 MaxAbove], as libc's block and thread-local variables lie at
//                 its end
//   ThreadRoom    the bytes below and above the thread register that a thread
//                 which libc does not know must have, beside its thread-local
//                 variables
//   VariablesAreAbove
//                 whether these have higher addresses than the register, or
//                 lower
//
// and the function that is declared here.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_THREADBLOCK_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_THREADBLOCK_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::runtime::arch {

/// Makes \p Register, with zeros around it, what the thread register of a
/// thread like this one may point to.
void initializeThreadBlock(void *Register);

} // namespace thermocline::runtime::arch

#include "port/ThreadBlock.h"

#endif
