//===- aarch64/alloc/port/DirectReference.h - References --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GNU ld makes shared libraries with references to variables at a fixed
// distance from the thread pointer, and leaves wrong distances in them. What it
// refuses there is the address of a symbol that another library may define.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ARCH_AARCH64_ALLOC_PORT_DIRECTREFERENCE_H
#define THERMOCLINE_ARCH_AARCH64_ALLOC_PORT_DIRECTREFERENCE_H

#include "arch/DirectReference.h"
#include "arch/ForPrograms.h"

#ifdef THERMOCLINE_ALLOC_ARCHIVE

// Linkers print its name.
__asm__(".pushsection .rodata.thermocline_for_programs, \"a\", @progbits\n"
        ".globl \"" THERMOCLINE_FOR_PROGRAMS ".\"\n"
        "\"" THERMOCLINE_FOR_PROGRAMS ".\": .byte 0\n"
        ".popsection");

namespace thermocline::alloc {

inline void referDirectly() {
  void *Unused;
  __asm__ volatile("adrp %0, \"" THERMOCLINE_FOR_PROGRAMS ".\"" : "=r"(Unused));
}

} // namespace thermocline::alloc

#else

namespace thermocline::alloc {
inline void referDirectly() {}
} // namespace thermocline::alloc

#endif

#endif
