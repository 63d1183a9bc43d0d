//===- x86_64/AddressLayout.h - Addresses of AMD64 -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_ADDRESSLAYOUT_H
#define THERMOCLINE_ARCH_X86_64_ADDRESSLAYOUT_H

#include "thermocline/Format/AddressLayout.h"
#include <stdint.h>

namespace thermocline::x86_64 {

/// Programs begin at 2/3 of 2^47, and mappings lie below 2^47.
constexpr format::AddressLayout Layout = {uint64_t(1) << 46};

} // namespace thermocline::x86_64

#endif
