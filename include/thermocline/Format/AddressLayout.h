//===- Format/AddressLayout.h - Addresses that are counted ------*- C++ -*-===//
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
// Which bits these are is the architecture's (arch/NAME/AddressLayout.h, as
// thermocline::NAME::Layout). The compiler pass takes them by the target, the
// runtime by what it was built for.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_FORMAT_ADDRESSLAYOUT_H
#define THERMOCLINE_FORMAT_ADDRESSLAYOUT_H

#include <stdint.h>

namespace thermocline::format {

struct AddressLayout {
  /// The bits that are clear in all addresses of recorded allocations.
  uint64_t UncountedMask = 0;
  /// The bits that say where an address is. A processor ignores the others, so
  /// that programs may have tags there.
  uint64_t PlaceMask = ~uint64_t(0);

  constexpr bool mayBeUncounted(uint64_t Address) const {
    return Address & UncountedMask;
  }
};

} // namespace thermocline::format

#endif
