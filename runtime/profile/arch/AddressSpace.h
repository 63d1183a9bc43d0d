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
//   OwnBegin             addresses for what else the runtime maps, where the
//                        kernel puts nothing by itself either
//   Layout               what code for sampling knows, of the same header
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H
#define THERMOCLINE_RUNTIME_PROFILE_ARCH_ADDRESSSPACE_H

#include "port/AddressSpace.h"
#include <stddef.h>

namespace thermocline::runtime::arch {

constexpr size_t OwnBytes = size_t(1) << 40;
static_assert((OwnBegin + OwnBytes) >> UserBits == 0);
static_assert(OwnBegin + OwnBytes <= HeapBegin || OwnBegin >= HeapEnd);

static_assert(HeapBegin < HeapEnd && HeapEnd >> UserBits == 0);
static_assert(!Layout.mayBeUncounted(HeapBegin) &&
              !Layout.mayBeUncounted(HeapEnd - 1));

} // namespace thermocline::runtime::arch

#endif
