//===- arch/AddressSpace.h - Where addresses of programs lie ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An AddressPlan says where the runtime puts what it maps. port/AddressSpace.h
// defines:
//
//   UserBits             no address of a program has a bit from this one on
//   Plan                 the plan for the kernel that runs the program; a
//                        constant where there is only one
//   choosePlan()         chooses it. Called at the start, before memory is
//                        mapped, with an address near the beginning of the
//                        program's first stack, which tells how many bits
//                        addresses have
//   plansAreSound(NumClasses)
//                        whether all plans are
//   Layout               what code for sampling knows, of
//                        Format/AddressLayout.h
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H

#include <stddef.h>
#include <stdint.h>

namespace thermocline::runtime::arch {

struct AddressPlan {
  /// The counters are for all addresses below this power of two.
  unsigned Bits;
  /// Addresses for the runtime's heap. The kernel puts nothing there by itself,
  /// unless the program asks for another layout (then mappings begin at a third
  /// of all addresses), and the mask of Format/AddressLayout.h tells them from
  /// all else. Where something is there, the heap is put anywhere.
  uintptr_t HeapBegin, HeapEnd;
  /// The logarithm of how many bytes of them the blocks of a size class have.
  unsigned RegionShift;
  /// Addresses for what else the runtime maps, where the kernel puts nothing by
  /// itself either.
  uintptr_t OwnBegin;
  size_t OwnBytes;
  /// By what power of two tables that may become large have fewer addresses.
  unsigned FewerShift;

  /// \returns how many addresses to reserve for a table that is to have \p
  /// Bytes.
  constexpr size_t tableBytes(size_t Bytes) const {
    return Bytes >> FewerShift;
  }

  /// Whether its parts lie apart, and below two thirds of all addresses, where
  /// programs begin, with more than the blocks of all classes in the heap's.
  constexpr bool isSound(unsigned NumClasses) const {
    const uintptr_t End = OwnBegin + OwnBytes;
    return HeapEnd > HeapBegin + (uintptr_t(NumClasses) << RegionShift) &&
           OwnBegin >= HeapEnd && End > OwnBegin &&
           End <= (uintptr_t(1) << Bits) / 3 * 2;
  }
};

} // namespace thermocline::runtime::arch

#include "port/AddressSpace.h"

#endif
