//===- alloc/heap/Jemalloc.h - jemalloc under private names -----*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The build renames what we use of jemalloc and hides all else, so that a
// program may hold a jemalloc of its own. Keep the names in step with
// Jemalloc.cmake.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_JEMALLOC_H
#define THERMOCLINE_ALLOC_JEMALLOC_H

#define JEMALLOC_NO_RENAME
#define JEMALLOC_NO_DEMANGLE
#define je_aligned_alloc thermocline_je_aligned_alloc
#define je_calloc thermocline_je_calloc
#define je_dallocx thermocline_je_dallocx
#define je_free thermocline_je_free
#define je_malloc thermocline_je_malloc
#define je_malloc_conf thermocline_je_malloc_conf
#define je_malloc_usable_size thermocline_je_malloc_usable_size
#define je_mallctl thermocline_je_mallctl
#define je_mallocx thermocline_je_mallocx
#define je_posix_memalign thermocline_je_posix_memalign
#define je_rallocx thermocline_je_rallocx
#define je_realloc thermocline_je_realloc

#include <jemalloc/jemalloc.h>

namespace thermocline::alloc {

/// Sets jemalloc's options. Called once, before its first function.
void configureJemalloc();

} // namespace thermocline::alloc

#endif
