//===- alloc/jemalloc/InRange.c - A jemalloc in the cold range ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the jemalloc of the cold heap calls in place of its own functions
// (Jemalloc.cmake): objects lie in the cold range, its books elsewhere.
// Addresses of the range are never given back, only the memory behind them.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

// ColdRange.h describes this function.
void *thermocline_alloc_take_cold(void *place, size_t bytes, size_t alignment);

void *__wrap_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit);
void __wrap_je_pages_unmap(void *place, size_t bytes);
bool __wrap_je_extent_dalloc_mmap(void *place, size_t bytes);
void *__wrap_je_extent_alloc_dss(void *thread, void *arena, void *place,
                                 size_t bytes, size_t alignment, bool *zero,
                                 bool *commit);
bool __wrap_je_pages_commit(void *place, size_t bytes);
bool __wrap_je_pages_decommit(void *place, size_t bytes);
int *__wrap___errno_location(void);
int *__real___errno_location(void);
// Fork.c and Unused.c say what these are.
int *errno_of_program(void);
extern const bool has_substitute;
void *__real_je_tsd_fetch_slow(void *thread, bool minimal);
void *__wrap_je_tsd_fetch_slow(void *thread, bool minimal);

void *__wrap_je_pages_map(void *place, size_t bytes, size_t alignment,
                          bool *commit) {
  void *pages = thermocline_alloc_take_cold(place, bytes, alignment);
  if (pages != NULL)
    *commit = true;
  return pages;
}

void __wrap_je_pages_unmap(void *place, size_t bytes) {
  madvise(place, bytes, MADV_DONTNEED);
}

/// Refuses, as the three below do: the arena keeps the addresses and purges the
/// pages instead.
bool __wrap_je_extent_dalloc_mmap(void *place, size_t bytes) {
  (void)place, (void)bytes;
  return true;
}

/// Refuses as well: memory must not come from the program's break either.
void *__wrap_je_extent_alloc_dss(void *thread, void *arena, void *place,
                                 size_t bytes, size_t alignment, bool *zero,
                                 bool *commit) {
  (void)thread, (void)arena, (void)place, (void)bytes, (void)alignment;
  (void)zero, (void)commit;
  return NULL;
}

/// To map pages anew would undo what was asked for the range (ColdRange.h).
bool __wrap_je_pages_commit(void *place, size_t bytes) {
  (void)place, (void)bytes;
  return true;
}

bool __wrap_je_pages_decommit(void *place, size_t bytes) {
  (void)place, (void)bytes;
  return true;
}

/// Where there is no cold memory, ordinary memory is tried: no error of the
/// program's. What jemalloc reads from here it wrote itself, in one thread.
int *__wrap___errno_location(void) {
  static int unused;
  return &unused;
}

int *errno_of_program(void) { return __real___errno_location(); }

/// The ordinary heap.
const bool has_substitute = true;

/// A thread that only frees gets no cache of jemalloc, and comes here each
/// time. Such threads are rare where there is one heap, but not where there are
/// two. So it gets one when it has freed some more than a few objects.
void *__wrap_je_tsd_fetch_slow(void *thread, bool minimal) {
  enum { FEW = 64 };
  static __thread unsigned calls __attribute__((tls_model("initial-exec")));
  return __real_je_tsd_fetch_slow(thread, minimal && ++calls % FEW != 0);
}
