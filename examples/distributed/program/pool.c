//===- pool.c - Buffers by malloc -----------------------------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <stdlib.h>
#include <string.h>

static void *fill(void *Buffer, unsigned long Size) {
  return Buffer ? memset(Buffer, 1, Size) : Buffer;
}

void *takeFromPool(unsigned long Size) { return fill(malloc(Size), Size); }
