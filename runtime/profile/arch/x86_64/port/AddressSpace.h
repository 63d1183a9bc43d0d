//===- x86_64/port/AddressSpace.h - Addresses on AMD64 ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_X86_64_PORT_ADDRESSSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_X86_64_PORT_ADDRESSSPACE_H

#include "thermocline/Format/AddressLayouts.h"
#include <stdint.h>

namespace thermocline::runtime::arch {

/// Unless a program asks for more.
constexpr unsigned UserBits = 47;
inline unsigned usedBits() { return UserBits; }

constexpr uintptr_t HeapBegin = uintptr_t(1) << 44;
constexpr uintptr_t HeapEnd = uintptr_t(1) << 46;
constexpr uintptr_t OwnBegin = HeapEnd;

constexpr format::AddressLayout Layout = format::AMD64Layout;

} // namespace thermocline::runtime::arch

#endif
