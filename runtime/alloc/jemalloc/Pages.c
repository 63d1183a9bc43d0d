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

#include <errno.h>
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
// Fork.c and Unused.c say what these are.
int *errno_of_program(void);
extern const bool has_substitute;

int *errno_of_program(void) { return &errno; }

const bool has_substitute = false;

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
