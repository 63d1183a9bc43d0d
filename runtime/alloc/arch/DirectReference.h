//===- alloc/arch/DirectReference.h - References of programs ----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the allocator needs of a port, in the architecture's folder
// (arch/NAME/alloc). One file includes it.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_ARCH_DIRECTREFERENCE_H
#define THERMOCLINE_ALLOC_ARCH_DIRECTREFERENCE_H

namespace thermocline::alloc {

/// Does nothing. Where a linker for the architecture makes shared libraries
/// with references to variables at a fixed distance from the thread pointer
/// (ColdThread.h), it refers to code or data so that this linker refuses to.
void referDirectly();

} // namespace thermocline::alloc

#include "port/DirectReference.h"

#endif
