//===- alloc/lib/ColdMalloc.h - malloc_cold and kin -------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// This allocator's functions of thermocline/hints.h, under names that no other
// library has.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_COLDMALLOC_H
#define THERMOCLINE_ALLOC_COLDMALLOC_H

#include "Export.h"
#include <cstddef>

THERMOCLINE_OWN void *thermocline_alloc_malloc_cold(size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_calloc_cold(size_t Count,
                                                    size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_realloc_cold(void *Pointer,
                                                     size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_reallocarray_cold(void *Pointer,
                                                          size_t Count,
                                                          size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_aligned_alloc_cold(size_t Alignment,
                                                           size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_memalign_cold(size_t Alignment,
                                                      size_t SizeBytes);
THERMOCLINE_OWN int thermocline_alloc_posix_memalign_cold(void **Result,
                                                          size_t Alignment,
                                                          size_t SizeBytes);
THERMOCLINE_OWN char *thermocline_alloc_strdup_cold(const char *String);
THERMOCLINE_OWN char *thermocline_alloc_strndup_cold(const char *String,
                                                     size_t SizeBytes);

#endif
