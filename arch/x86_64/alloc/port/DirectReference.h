//===- x86_64/alloc/port/DirectReference.h - References ---------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_X86_64_ALLOC_PORT_DIRECTREFERENCE_H
#define THERMOCLINE_ARCH_X86_64_ALLOC_PORT_DIRECTREFERENCE_H

#include "arch/DirectReference.h"

namespace thermocline::alloc {

/// No linker makes such libraries.
inline void referDirectly() {}

} // namespace thermocline::alloc

#endif
