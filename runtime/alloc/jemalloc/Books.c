//===- alloc/jemalloc/Books.c - Where jemalloc keeps its books ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of jemalloc's own comes from where it always does, also where that of
// objects is taken from another place, or is treated otherwise
// (Jemalloc.cmake).
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>

void *__real_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit);
bool __real_je_extent_dalloc_mmap(void *place, size_t bytes);
void *thermocline_alloc_map_books(void *place, size_t bytes, size_t alignment,
                                  bool *zero, bool *commit);
bool thermocline_alloc_unmap_books(void *place, size_t bytes);

void *thermocline_alloc_map_books(void *place, size_t bytes, size_t alignment,
                                  bool *zero, bool *commit) {
  void *pages = __real_je_pages_map(place, bytes, alignment, commit);
  if (pages != NULL && *commit)
    *zero = true;
  return pages;
}

bool thermocline_alloc_unmap_books(void *place, size_t bytes) {
  return __real_je_extent_dalloc_mmap(place, bytes);
}
