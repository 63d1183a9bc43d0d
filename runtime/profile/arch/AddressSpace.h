//===- arch/AddressSpace.h - Where addresses of programs lie ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// port/AddressSpace.h defines:
//
//   UserBits             no address of a program has a bit from this one on
//   usedBits()           the same for the kernel that runs the program, as the
//                        counters of all its memory are reserved at the start
//   HeapBegin, HeapEnd   addresses for the runtime's heap. The kernel puts
//                        nothing there by itself, unless the program asks for
//                        another layout, and the mask of
//                        Format/AddressLayouts.h tells them from all else
//   Layout               what code for sampling knows, of the same header
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H

#include "port/AddressSpace.h"

namespace thermocline::runtime::arch {

static_assert(HeapBegin < HeapEnd && HeapEnd >> UserBits == 0);
static_assert(!Layout.mayBeUncounted(HeapBegin) &&
              !Layout.mayBeUncounted(HeapEnd - 1));

} // namespace thermocline::runtime::arch

#endif
