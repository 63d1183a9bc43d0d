//===- alloc/jemalloc/Pages.c - Memory of the ordinary heap ---------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the jemalloc of the ordinary heap calls in place of its own functions
// (Jemalloc.cmake).
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>

// Policy.h describes this function.
void thermocline_alloc_prepare_ordinary(void *start, size_t bytes);

void *__real_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit);
void *__wrap_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit);
bool __real_je_extent_dalloc_mmap(void *place, size_t bytes);
bool __wrap_je_extent_dalloc_mmap(void *place, size_t bytes);

void *__wrap_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit) {
  void *pages = __real_je_pages_map(place, bytes, alignment, commit);
  if (pages != NULL)
    thermocline_alloc_prepare_ordinary(pages, bytes);
  return pages;
}

bool __wrap_je_extent_dalloc_mmap(void *place, size_t bytes) {
  return __real_je_extent_dalloc_mmap(place, bytes);
}

// Pages of the cold heap (Unused.c).
enum { NONE = -1 };
void thermocline_cold_je_count_pages(size_t *used, size_t *unused,
                                     unsigned but);
size_t thermocline_cold_je_purge_pages(size_t bytes, unsigned but);
void thermocline_cold_je_flush_cache(void);
// Those of small objects that lie in order (order/ChunkPool.h, OrderHeap.h).
void thermocline_alloc_count_order(size_t *used, size_t *unused);
size_t thermocline_alloc_purge_order(size_t bytes);
void thermocline_alloc_flush_order(void);
void thermocline_alloc_count_other(size_t *used, size_t *unused);
size_t thermocline_alloc_purge_other(size_t bytes);
void thermocline_alloc_flush_other(void);

void thermocline_alloc_count_other(size_t *used, size_t *unused) {
  thermocline_cold_je_count_pages(used, unused, NONE);
  thermocline_alloc_count_order(used, unused);
}

size_t thermocline_alloc_purge_other(size_t bytes) {
  bytes = thermocline_cold_je_purge_pages(bytes, NONE);
  return bytes == 0 ? 0 : thermocline_alloc_purge_order(bytes);
}

void thermocline_alloc_flush_other(void) {
  thermocline_cold_je_flush_cache();
  thermocline_alloc_flush_order();
}
