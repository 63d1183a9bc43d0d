//===- alloc/jemalloc/WithoutMemory.c - Where jemalloc does not ask -------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some functions of jemalloc 5.3.0 take it for granted that they get memory,
// and read or write through a null pointer where there is none. The link that
// makes jemalloc private (Jemalloc.cmake) puts these in their places with
// --wrap.
//
//===----------------------------------------------------------------------===//

#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

struct tsd_s {
  bool tcache_enabled; // The first field of many.
};

extern bool je_opt_tcache;
/// It is 0 once all is initialized.
extern int je_malloc_init_state;
/// Whether each processor has an arena, to which a thread moves with its cache.
/// It would be moved before the cache is there, so no arena is asked for first.
extern int je_opt_percpu_arena;
enum { PER_CPU = 3 };
void je_tsd_slow_update(struct tsd_s *thread);
/// \returns true on failure.
bool je_tsd_tcache_data_init(struct tsd_s *thread);
void *je_arena_choose_hard(struct tsd_s *thread, bool internal);

bool __wrap_je_tsd_tcache_enabled_data_init(struct tsd_s *thread);
bool __real_je_pages_boot(void);
bool __wrap_je_pages_boot(void);
void *__real_mmap(void *place, size_t bytes, int rights, int flags, int file,
                  off_t offset);
void *__wrap_mmap(void *place, size_t bytes, int rights, int flags, int file,
                  off_t offset);

static void enable_cache(struct tsd_s *thread, bool enabled) {
  thread->tcache_enabled = enabled;
  je_tsd_slow_update(thread);
}

/// A thread that gets no arena, or no memory for its cache, goes without one.
bool __wrap_je_tsd_tcache_enabled_data_init(struct tsd_s *thread) {
  enable_cache(thread, je_opt_tcache);
  if (!je_opt_tcache)
    return false;
  if ((je_malloc_init_state == 0 && je_opt_percpu_arena < PER_CPU &&
       je_arena_choose_hard(thread, false) == NULL) ||
      je_tsd_tcache_data_init(thread))
    enable_cache(thread, false);
  return false;
}

/// Set while __real_je_pages_boot runs.
static void *page_to_boot;
enum { PAGE_BYTES = THERMOCLINE_JEMALLOC_PAGE_BYTES };

/// At its start jemalloc tries out a system call on a page of its own. It gets
/// that from here, or does not start. True on failure.
bool __wrap_je_pages_boot(void) {
  page_to_boot = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page_to_boot == MAP_FAILED) {
    page_to_boot = NULL;
    return true;
  }
  bool failed = __real_je_pages_boot();
  if (page_to_boot != NULL)
    munmap(page_to_boot, PAGE_BYTES);
  page_to_boot = NULL;
  return failed;
}

void *__wrap_mmap(void *place, size_t bytes, int rights, int flags, int file,
                  off_t offset) {
  void *page = page_to_boot;
  if (page != NULL && bytes == PAGE_BYTES) {
    page_to_boot = NULL;
    return page;
  }
  return __real_mmap(place, bytes, rights, flags, file, offset);
}
