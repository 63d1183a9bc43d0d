//===- aarch64/AddressLayout.h - Addresses of AArch64 --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_ADDRESSLAYOUT_H
#define THERMOCLINE_ARCH_AARCH64_ADDRESSLAYOUT_H

#include "thermocline/Format/AddressLayout.h"
#include <stdint.h>

namespace thermocline::aarch64 {

/// The kernel may give programs 39, 42, 47 or 48 bits; with 47 and 48, programs
/// begin at 2/3 of that, and mappings lie below it. With fewer, everything is
/// counted. The mask has four bits in a row, so that it is part of the
/// instruction that tests them. The upper byte is ignored. To clear it costs
/// nothing, as the bits below a counter have to be cleared.
constexpr format::AddressLayout Layout = {uint64_t(0xF) << 44,
                                          ~uint64_t(0) >> 8};

} // namespace thermocline::aarch64

#endif
