//===- aarch64/runtime/port/AddressSpace.h - Addresses ----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is built for 39, 42, 47 or 48 bits, by the size of its pages. With
// 52 bits, programs get the upper ones only where they ask for them.
//
// Source: the kernel's Documentation/arch/arm64/memory.rst.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_ADDRESSSPACE_H
#define THERMOCLINE_ARCH_AARCH64_RUNTIME_PORT_ADDRESSSPACE_H

#include "aarch64/AddressLayout.h"
#include "arch/AddressSpace.h"
#include <stdint.h>

namespace thermocline::runtime::arch {

constexpr unsigned UserBits = 48;

constexpr AddressPlan planFor(unsigned Bits) {
  constexpr uintptr_t GiB = uintptr_t(1) << 30;
  if (Bits <= 39)
    return {.Bits = 39,
            .HeapBegin = 16 * GiB,
            .HeapEnd = 240 * GiB,
            .RegionShift = 32,
            .OwnBegin = 240 * GiB,
            .OwnBytes = 4 * GiB,
            .FewerShift = 4};
  if (Bits <= 42)
    return {.Bits = 42,
            .HeapBegin = 128 * GiB,
            .HeapEnd = 1920 * GiB,
            .RegionShift = 35,
            .OwnBegin = 1920 * GiB,
            .OwnBytes = 32 * GiB,
            .FewerShift = 2};
  return {.Bits = Bits <= 47 ? 47u : 48u,
          .HeapBegin = uintptr_t(1) << 42,
          .HeapEnd = uintptr_t(1) << 44,
          .RegionShift = 36,
          .OwnBegin = uintptr_t(1) << 44,
          .OwnBytes = size_t(1) << 40,
          .FewerShift = 0};
}

/// The stack lies at the end of what programs have.
constexpr unsigned bitsOf(uintptr_t StackBegin) {
  unsigned Bits = 0;
  while (Bits != UserBits && StackBegin >> Bits)
    ++Bits;
  return Bits;
}

constexpr bool plansAreSound(unsigned NumClasses) {
  return planFor(39).isSound(NumClasses) && planFor(42).isSound(NumClasses) &&
         planFor(47).isSound(NumClasses) && planFor(48).isSound(NumClasses);
}

inline constinit AddressPlan Plan = planFor(UserBits);
inline void choosePlan(uintptr_t StackBegin) {
  Plan = planFor(bitsOf(StackBegin));
}

constexpr format::AddressLayout Layout = aarch64::Layout;
static_assert(!Layout.mayBeUncounted(planFor(48).HeapBegin) &&
              !Layout.mayBeUncounted(planFor(48).HeapEnd - 1));
static_assert(bitsOf((uintptr_t(1) << 39) - 1) == 39 &&
              bitsOf(uintptr_t(1) << 39) == 40 && bitsOf(~uintptr_t(0)) == 48);

} // namespace thermocline::runtime::arch

#endif
