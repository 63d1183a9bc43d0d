//===- alloc/lib/Malloc.h - The ordinary heap -------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the other files of the library use of the ordinary heap. They do not
// call malloc itself, which a program could define. All are the functions of C
// without the prefix, errno included; where another allocator serves the
// process (Role.h), they are that one's.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_MALLOC_H
#define THERMOCLINE_ALLOC_MALLOC_H

#include "Export.h"
#include <cstddef>

THERMOCLINE_OWN void *thermocline_alloc_malloc(size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_calloc(size_t Count, size_t SizeBytes);
THERMOCLINE_OWN void *thermocline_alloc_realloc(void *Pointer,
                                                size_t SizeBytes);
THERMOCLINE_OWN void thermocline_alloc_free(void *Pointer);
THERMOCLINE_OWN void *thermocline_alloc_memalign(size_t Alignment,
                                                 size_t SizeBytes);
THERMOCLINE_OWN int thermocline_alloc_posix_memalign(void **Result,
                                                     size_t Alignment,
                                                     size_t SizeBytes);
THERMOCLINE_OWN size_t thermocline_alloc_malloc_usable_size(void *Pointer);

namespace thermocline::alloc {

/// As glibc: the next power of two; 0 if there is none.
size_t roundAlignment(size_t Alignment);

/// Sets jemalloc's options. Called once, before its first function.
void configureHeap();

} // namespace thermocline::alloc

#endif
