//===- Format/AddressLayouts.h - Addresses that are counted -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for sampling tests some bits of each address. If all of them are clear,
// the memory may belong to a sampled allocation, and the access is counted. The
// runtime places all allocations that it records there, whatever the program
// was built for, because a library with such code may be loaded later. One of
// the bits is set in all other memory that programs get from Linux, except in
// images that are not position independent. Accesses there are not counted.
// (Unsampled allocations come from libc's own allocator, because their layout
// in caches matters more than what counting costs.)
//
// Which bits these are is the architecture's. The compiler pass takes them from
// here by the target, the runtime by what it was built for.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_ADDRESSLAYOUTS_H
#define THERMOCLINE_FORMAT_ADDRESSLAYOUTS_H

#include <stdint.h>

namespace thermocline::format {

struct AddressLayout {
  /// The bits that are clear in all addresses of recorded allocations.
  uint64_t UncountedMask;
  /// The bits that say where an address is. A processor ignores the others, so
  /// that programs may have tags there.
  uint64_t PlaceMask = ~uint64_t(0);

  constexpr bool mayBeUncounted(uint64_t Address) const {
    return Address & UncountedMask;
  }
};

/// Programs begin at 2/3 of 2^47, and mappings lie below 2^47.
constexpr AddressLayout AMD64Layout = {uint64_t(1) << 46};

/// The kernel may give programs 39, 42, 47 or 48 bits; with 47 and 48, programs
/// begin at 2/3 of that, and mappings lie below it. With fewer, everything is
/// counted. The mask has four bits in a row, so that it is part of the
/// instruction that tests them. The upper byte is ignored. To clear it costs
/// nothing, as the bits below a counter have to be cleared.
constexpr AddressLayout AArch64Layout = {uint64_t(0xF) << 44,
                                         ~uint64_t(0) >> 8};

} // namespace thermocline::format

#endif
