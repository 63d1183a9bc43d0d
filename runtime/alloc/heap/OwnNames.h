//===- alloc/heap/OwnNames.h - The allocator by its own names ---*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions of C and of thermocline/hints.h that the other files of the
// library call, under names that no other library has: malloc itself a program
// could define. They do what the functions without the prefix do, errno
// included. Where another allocator serves the process (Role.h), those of the
// ordinary heap are that one's. Malloc.cpp and ColdMalloc.cpp define them, but
// for thermocline_alloc_malloc (ShortPath.c).
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_OWNNAMES_H
#define THERMOCLINE_ALLOC_OWNNAMES_H

#include "Export.h"
#include <cstddef>

// The ordinary heap.
THERMOCLINE_OWN void *thermocline_alloc_malloc(size_t SizeBytes) noexcept;
/// malloc() for callers for whom the thread's cache has nothing.
THERMOCLINE_OWN void *thermocline_alloc_malloc_long(size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *thermocline_alloc_calloc(size_t Count,
                                               size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *thermocline_alloc_realloc(void *Pointer,
                                                size_t SizeBytes) noexcept;
THERMOCLINE_OWN void thermocline_alloc_free(void *Pointer) noexcept;
/// free() for what is in neither heap, where another allocator may serve the
/// process, or jemalloc has memory in unusual places.
THERMOCLINE_OWN void thermocline_alloc_free_elsewhere(void *Pointer) noexcept;
THERMOCLINE_OWN void *thermocline_alloc_memalign(size_t Alignment,
                                                 size_t SizeBytes) noexcept;
THERMOCLINE_OWN int thermocline_alloc_posix_memalign(void **Result,
                                                     size_t Alignment,
                                                     size_t SizeBytes) noexcept;
THERMOCLINE_OWN size_t
thermocline_alloc_malloc_usable_size(void *Pointer) noexcept;

// Cold memory, or ordinary memory where there is none.
THERMOCLINE_OWN void *thermocline_alloc_malloc_cold(size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *thermocline_alloc_calloc_cold(size_t Count,
                                                    size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *thermocline_alloc_realloc_cold(void *Pointer,
                                                     size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *
thermocline_alloc_reallocarray_cold(void *Pointer, size_t Count,
                                    size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *
thermocline_alloc_aligned_alloc_cold(size_t Alignment,
                                     size_t SizeBytes) noexcept;
THERMOCLINE_OWN void *
thermocline_alloc_memalign_cold(size_t Alignment, size_t SizeBytes) noexcept;
THERMOCLINE_OWN int
thermocline_alloc_posix_memalign_cold(void **Result, size_t Alignment,
                                      size_t SizeBytes) noexcept;
THERMOCLINE_OWN char *
thermocline_alloc_strdup_cold(const char *String) noexcept;
THERMOCLINE_OWN char *thermocline_alloc_strndup_cold(const char *String,
                                                     size_t SizeBytes) noexcept;

#endif
