//===- x86_64/runtime/port/AddressSpace.h - Addresses -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_ADDRESSSPACE_H
#define THERMOCLINE_ARCH_X86_64_RUNTIME_PORT_ADDRESSSPACE_H

#include "arch/AddressSpace.h"
#include "x86_64/AddressLayout.h"
#include <stdint.h>

namespace thermocline::runtime::arch {

/// Unless a program asks for more.
constexpr unsigned UserBits = 47;

constexpr AddressPlan Plan = {.Bits = UserBits,
                              .HeapBegin = uintptr_t(1) << 44,
                              .HeapEnd = uintptr_t(1) << 46,
                              .RegionShift = 36,
                              .OwnBegin = uintptr_t(1) << 46,
                              .OwnBytes = size_t(1) << 40,
                              .FewerShift = 0};
inline void choosePlan(uintptr_t) {}
constexpr bool plansAreSound(unsigned NumClasses) {
  return Plan.isSound(NumClasses);
}

constexpr format::AddressLayout Layout = x86_64::Layout;
static_assert(!Layout.mayBeUncounted(Plan.HeapBegin) &&
              !Layout.mayBeUncounted(Plan.HeapEnd - 1));

} // namespace thermocline::runtime::arch

#endif
