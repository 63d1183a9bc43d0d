//===- alloc/entry/Start.cpp - What runs before main ----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Start.h"
#include "Statistics.h"
#include "abi/HintTable.h"
#include "arch/DirectReference.h"
#include "heap/ColdHeap.h"

using namespace thermocline::alloc;

/// Keeps the archive out of shared libraries, also where nothing else refers to
/// what does (ColdThread.h).
static void refuseLibraries() {
  ThreadRecord *volatile Unused = OperatorsRecordOrNone;
  (void)Unused;
  referDirectly();
}

void thermocline::alloc::startAllocator() {
  refuseLibraries();
  // Keeps the table in every program that has the allocator, for the libraries
  // that it loads.
  asm volatile("" : : "r"(&thermocline_alloc_hints));
  hasColdHeap();
  startStatistics();
}
