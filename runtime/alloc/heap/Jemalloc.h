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
#define je_free thermocline_je_free
#define je_malloc thermocline_je_malloc
#define je_malloc_conf thermocline_je_malloc_conf
#define je_malloc_usable_size thermocline_je_malloc_usable_size
#define je_mallctl thermocline_je_mallctl
#define je_mallocx thermocline_je_mallocx
#define je_malloc_message thermocline_je_malloc_message
#define je_posix_memalign thermocline_je_posix_memalign
#define je_realloc thermocline_je_realloc

#include <jemalloc/jemalloc.h>

extern "C" {
/// Where jemalloc's malloc goes on when the thread's cache cannot serve it.
void *thermocline_je_malloc_default(size_t SizeBytes) noexcept;
/// From now on no malloc takes the short path, of any thread (LongPath.c); and
/// the end of that. For another thread it begins with its next calls. The first
/// function comes before. The others may be called by a thread that libc does
/// not know.
void thermocline_je_prepare_long_path() noexcept;
void thermocline_je_leave_short_path() noexcept;
void thermocline_je_take_short_path() noexcept;

// The jemalloc of the cold heap. It leaves errno alone.
void *thermocline_cold_je_malloc_default(size_t SizeBytes) noexcept;
void *thermocline_cold_je_malloc(size_t SizeBytes) noexcept;
void *thermocline_cold_je_calloc(size_t Count, size_t SizeBytes) noexcept;
void *thermocline_cold_je_aligned_alloc(size_t Alignment,
                                        size_t SizeBytes) noexcept;
void *thermocline_cold_je_realloc(void *Pointer, size_t SizeBytes) noexcept;
void thermocline_cold_je_free(void *Pointer) noexcept;
size_t thermocline_cold_je_malloc_usable_size(void *Pointer) noexcept;
int thermocline_cold_je_mallctl(const char *Name, void *Old, size_t *OldBytes,
                                void *New, size_t NewBytes) noexcept;
extern const char *thermocline_cold_je_malloc_conf;
extern void (*thermocline_cold_je_malloc_message)(void *, const char *);
}

namespace thermocline::alloc {

/// Memory of zeros for records of ours, or null. It does not come from the
/// calling thread's cache: what a cache takes in on the way would serve the
/// program, also where its small objects are to lie in order.
inline void *allocateRecord(size_t SizeBytes) {
  return je_mallocx(SizeBytes, MALLOCX_ZERO | MALLOCX_TCACHE_NONE);
}

/// Sets the options of both. Called once, before their first functions.
void configureJemalloc();

/// A statistic of one of them, whose mallctl is given; 0 if it has none of this
/// name. See refreshStatistics.
using Mallctl = int(const char *, void *, size_t *, void *, size_t);
size_t readStatistic(Mallctl *Ask, const char *Name);
/// Makes readStatistic tell what is so now.
void refreshStatistics(Mallctl *Ask);

} // namespace thermocline::alloc

#endif
