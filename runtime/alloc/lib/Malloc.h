//===- alloc/lib/Malloc.h - The ordinary heap -------------------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the other files of the library use of the ordinary heap. They do not
// call malloc itself, which a program could define.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_MALLOC_H
#define THERMOCLINE_ALLOC_MALLOC_H

#include <cstddef>

namespace thermocline::alloc {

/// As malloc, memalign, free; these set errno like them.
void *allocate(size_t SizeBytes);
void *allocateAligned(size_t Alignment, size_t SizeBytes);
void release(void *Pointer);

/// As glibc: the next power of two; 0 if there is none.
size_t roundAlignment(size_t Alignment);

} // namespace thermocline::alloc

#endif
