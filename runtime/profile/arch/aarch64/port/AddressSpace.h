//===- aarch64/port/AddressSpace.h - Addresses on AArch64 -------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is built for 39, 42, 47 or 48 bits, by the size of its pages. With
// 52 bits, programs get the upper ones only where they ask for them. With 39
// and 42 bits there is no room for the runtime's heap: profiled programs say so
// and end.
//
// Source: the kernel's Documentation/arch/arm64/memory.rst.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_AARCH64_PORT_ADDRESSSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_AARCH64_PORT_ADDRESSSPACE_H

#include "thermocline/Format/AddressLayouts.h"
#include <stdint.h>

namespace thermocline::runtime::arch {

constexpr unsigned UserBits = 48;
/// The stack lies at the end of what programs have. Below 47 bits nothing is
/// saved, and some that emulate a kernel put mappings above the stack.
inline unsigned usedBits() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >> 47 ? 48
                                                                       : 47;
}

constexpr uintptr_t HeapBegin = uintptr_t(1) << 42;
constexpr uintptr_t HeapEnd = uintptr_t(1) << 44;
constexpr uintptr_t OwnBegin = HeapEnd;

constexpr format::AddressLayout Layout = format::AArch64Layout;

} // namespace thermocline::runtime::arch

#endif
