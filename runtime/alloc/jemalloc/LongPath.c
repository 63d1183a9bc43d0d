//===- alloc/jemalloc/LongPath.c - Where each malloc is to be seen --------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: a process that is profiled is to be asked for each object
// (Sampler.h), and the short path of malloc (ShortPath.c) asks nobody.
//
// Idea: that path adds up what the thread has allocated, and does not go on
// where this reaches a limit, at which jemalloc has something to do. So the
// limit of each thread is made 0, again whenever jemalloc computes it anew. All
// else stays as it is: the long path uses the thread's cache, and free has a
// limit of its own.
//
// jemalloc tells where it has the sum, and the limit follows it. This is tried
// before. Where it is not so, jemalloc itself is told that all threads are to
// take all long paths, those of free as well, which costs more.
//
//===----------------------------------------------------------------------===//

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tsd_s {
  char all[1];
};

extern __thread struct tsd_s je_tsd_tls
    __attribute__((tls_model("initial-exec")));
/// Counts who wants long paths; each call makes all threads compute anew.
void je_tsd_global_slow_inc(void *thread);
void je_tsd_global_slow_dec(void *thread);
/// Compute the limits of a thread.
typedef void compute(struct tsd_s *thread);
compute __real_je_te_recompute_fast_threshold,
    __wrap_je_te_recompute_fast_threshold, __real_je_tsd_te_init,
    __wrap_je_tsd_te_init;
int mallctl(const char *name, void *old, size_t *old_bytes, void *new,
            size_t new_bytes);
void *malloc(size_t bytes);
void free(void *object);

// Jemalloc.h describes these functions.
void prepare_long_path(void);
void leave_short_path(void);
void take_short_path(void);

/// Where the limit lies in what jemalloc keeps of a thread; 0 where it is to be
/// left alone.
static atomic_size_t limit_at;

static void clear_limit(struct tsd_s *thread) {
  const size_t at = atomic_load_explicit(&limit_at, memory_order_relaxed);
  if (at != 0)
    *(uint64_t *)(void *)(thread->all + at) = 0;
}

void __wrap_je_te_recompute_fast_threshold(struct tsd_s *thread) {
  __real_je_te_recompute_fast_threshold(thread);
  clear_limit(thread);
}

void __wrap_je_tsd_te_init(struct tsd_s *thread) {
  __real_je_tsd_te_init(thread);
  clear_limit(thread);
}

/// \returns where the calling thread has it, or 0 if it is not found.
static size_t find_limit(void) {
  uint64_t *sum = NULL;
  size_t bytes = sizeof(sum);
  if (mallctl("thread.allocatedp", &sum, &bytes, NULL, 0) != 0)
    return 0;
  uint64_t *limit = sum + 1;
  const uint64_t before = *limit;
  *limit = 0;
  __real_je_te_recompute_fast_threshold(&je_tsd_tls);
  const bool is_computed = before != 0 && *limit == before;
  *limit = before;
  return is_computed ? (size_t)((char *)limit - je_tsd_tls.all) : 0;
}

/// Where the limit was found.
static size_t found_at;

void prepare_long_path(void) {
  // Only a thread that has allocated has a limit.
  free(malloc(1));
  found_at = find_limit();
}

void leave_short_path(void) {
  atomic_store(&limit_at, found_at);
  je_tsd_global_slow_inc(NULL);
  if (found_at != 0)
    je_tsd_global_slow_dec(NULL);
}

void take_short_path(void) {
  atomic_store(&limit_at, 0);
  if (found_at != 0)
    je_tsd_global_slow_inc(NULL);
  je_tsd_global_slow_dec(NULL);
}
