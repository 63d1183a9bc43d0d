//===- alloc/hints/Aligned.c - aligned_alloc_cold and kin, fallback --===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The twins of the functions that take an alignment.
//
//===----------------------------------------------------------------------===//

#include "thermocline/hints.h"
#include <malloc.h>
#include <stdlib.h>

void *aligned_alloc_cold(size_t alignment, size_t size) {
  return aligned_alloc(alignment, size);
}

void *memalign_cold(size_t alignment, size_t size) {
  return memalign(alignment, size);
}

int posix_memalign_cold(void **result, size_t alignment, size_t size) {
  return posix_memalign(result, alignment, size);
}
