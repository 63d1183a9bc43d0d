//===- alloc/entry/Start.cpp - What runs before main ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Start.h"
#include "Statistics.h"
#include "abi/HintTable.h"
#include "heap/ColdHeap.h"

using namespace thermocline::alloc;

#if defined(THERMOCLINE_ALLOC_ARCHIVE) && defined(__x86_64__)
// In a shared library, an allocator of its own would get memory to free that it
// never gave. No linker makes a library with this reference to a variable whose
// distance from the thread pointer is fixed; all print the variable's name.
#define MESSAGE                                                                \
  "\"libthermocline_alloc.a is for programs: link shared libraries without "   \
  "it\""
asm(".pushsection .tbss.thermocline,\"awT\",@nobits\n"
    ".globl " MESSAGE "\n.hidden " MESSAGE "\n" MESSAGE ":\n.zero 1\n"
    ".popsection\n");
static void refuseLibraries() {
  void *Unused;
  asm volatile("leaq " MESSAGE "@tpoff, %0" : "=r"(Unused));
}
#else
static void refuseLibraries() {}
#endif

void thermocline::alloc::startAllocator() {
  refuseLibraries();
  // Keeps the table in every program that has the allocator, for the libraries
  // that it loads.
  asm volatile("" : : "r"(&thermocline_alloc_hints));
  hasColdHeap();
  startStatistics();
}
