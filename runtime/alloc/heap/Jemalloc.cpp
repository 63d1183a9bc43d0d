//===- alloc/heap/Jemalloc.cpp - jemalloc's options -----------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Jemalloc.h"
#include "ColdRange.h"

void thermocline::alloc::configureJemalloc() {
  // jemalloc takes addresses ahead and keeps them, which costs nothing where
  // there are plenty.
  if (addressSpaceLimit() != Unlimited)
    je_malloc_conf = "retain:false";
}
