//===- lifecycle/OverflowContext.cpp - The name of all other contexts -----===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that nobody calls: in profiles, its name stands for all contexts
// beyond the limits. Instrumented programs have their own; this one is for the
// others. It has debug information, unlike the rest of the runtime, as readers
// drop contexts of which they can symbolize nothing.
//
//===----------------------------------------------------------------------===//

#include "arch/Processor.h"

extern "C" __attribute__((noinline, weak, visibility("default"))) void
thermocline_contexts_beyond_the_limit();

extern "C" void thermocline_contexts_beyond_the_limit() {
  // The function has more than one byte, so that there is a place within it.
  thermocline::runtime::arch::relax();
}
