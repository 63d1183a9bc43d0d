//===- alloc/hints/Malloc.c - malloc_cold and kin, fallback ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twins of the malloc family for programs linked without the segregating
// allocator. Here as in the neighbouring files: one archive member for each
// group, so that a program takes only what it calls, and no more than libc.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"
#include <stdlib.h>

void *malloc_cold(size_t size) { return malloc(size); }

void *calloc_cold(size_t count, size_t size) { return calloc(count, size); }

void *realloc_cold(void *ptr, size_t size) { return realloc(ptr, size); }

void *reallocarray_cold(void *ptr, size_t count, size_t size) {
  return reallocarray(ptr, count, size);
}
