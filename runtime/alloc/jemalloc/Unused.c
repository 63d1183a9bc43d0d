//===- alloc/jemalloc/Unused.c - Freed pages and growing heaps ------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When the two jemallocs give freed pages back beside jemalloc's own decay, and
// how that decay goes on in the one while the program works in the other.
//
// Problem: an arena keeps freed pages for ten seconds, to give them out again.
// Pages that do not suit what is asked for next (too small a run, another
// arena, the other heap) stay, while fresh pages are taken beside them. So a
// program that fills and frees its heap in turns had several times what was
// ever live.
//
// Idea: whoever takes fresh pages first gives back as many that are unused,
// of the same arena or of the other heap. So memory in use and memory unused
// together grow no further than memory in use alone. Runs of any size are split
// (Jemalloc.cpp), so an arena takes fresh pages only where none of its own
// suit. And a program that has freed nearly all will hardly want it again at
// once, so then all goes back.
//
// Exceptions: what repeats, such as the same work for each request, frees runs
// that do not quite suit what it asks for next. If all of these went back, it
// would take page faults each time. So nothing goes back while memory in use
// and memory unused together are no more than what was seen in use at most,
// which the program has had before; until nearly all is free, as what comes
// then may need less, and unless addresses are short (retain:false), which
// somebody else may have taken since. Where little is in use, some MiB more may
// stay unused, or heaps that take turns with little would give it back each
// time. Other arenas of the same heap keep what they have until nearly all is
// free, or threads that run in turns would take it from each other again and
// again: but four processors share an arena. What the user wants to keep
// (dirty_decay_ms:-1) stays.
//
// Where nothing is to stay unused (dirty_decay_ms:0), jemalloc lets one thread
// at a time give back what an arena has. What others free meanwhile would stay
// if they were the last to free anything. So here each asks for it, and the
// first that asks goes on until nobody has asked since.
//
// jemalloc has no clock of its own: a thread that allocates or frees looks now
// and then whether time has passed for its own arena (a tick). So that time
// passes for the other heap as well, and for arenas that no thread uses any
// more, a tick of any is one of all (heap/Decay.h).
//
// The cold heap may have no more room, and then the ordinary one serves. A
// thread that gets no pages there does not look again for as many before some
// are freed, or it was refused some times more, as there may be room again for
// other reasons. Or each call would give back pages of others for nothing.
//
// Cost: none where pages are reused. Else a look at the counters of all arenas
// for each run of fresh pages, most of which have 64 KiB and take 16 page
// faults; and a call of the kernel for each run that goes back.
//
// Locks: jemalloc takes fresh pages and gives runs back with no lock held, and
// here none is either. jemalloc ticks with no lock held, and holds one while it
// looks at its own arena, so others get their tick when that is over. Whoever
// waits for a lock of the other jemalloc so holds none of its own, also while a
// thread forks and holds all of both.
//
// Both jemallocs have this file each (Jemalloc.cmake).
//
//===----------------------------------------------------------------------===//

#include "../heap/Decay.h"
#include "../heap/Footprint.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define OF_THREAD static __thread __attribute__((tls_model("initial-exec")))

enum {
  PAGE_BYTES = THERMOCLINE_JEMALLOC_PAGE_BYTES,
  /// The least that goes back at once.
  LEAST_BYTES = 256 << 10,
  /// How often it is looked whether nearly all is free, by what is freed. All
  /// threads count together, or what many free that each free little would
  /// stay.
  FREED_BYTES = 1 << 20,
  /// How often a thread that takes fresh pages empties its other cache.
  GROWN_BYTES = 4 << 20,
  /// jemalloc has no more arenas.
  MOST_ARENAS = 4096,
  /// How often a thread is refused pages before it looks again.
  REFUSALS = 256,
  /// How often a thread waits for one that jemalloc lets give back alone.
  MOST_WAITS = 1000
};

/// The start of what jemalloc keeps of a run of pages.
struct edata_s {
  uint64_t bits;
  void *start;
  /// The lowest bits are those of a number.
  size_t bytes_and_number;
};
/// The start of an arena's hooks.
struct ehooks_s {
  unsigned arena;
};
/// The pages of an arena.
struct pa_shard_s;
struct tsd_s {
  bool tcache_enabled; // The first field of many.
};

extern _Atomic(struct arena_s *) je_arenas[];
/// Objects of so many bytes are in an arena of their own.
extern size_t je_oversize_threshold;
/// The decay time of each arena, unless a program sets it.
extern ssize_t je_opt_dirty_decay_ms;
/// Whether addresses are kept when their pages go back.
extern bool je_opt_retain;
extern __thread struct tsd_s je_tsd_tls
    __attribute__((tls_model("initial-exec")));
unsigned je_narenas_total_get(void);
void je_arena_basic_stats_merge(void *thread, struct arena_s *arena,
                                unsigned *threads, const char **dss,
                                ssize_t *dirty_ms, ssize_t *muzzy_ms,
                                size_t *active, size_t *dirty, size_t *muzzy);
/// Gives back what is due, or all. All other functions of jemalloc's that do
/// this in time call it, or end with it, and hold no lock then.
typedef void give_back(void *thread, struct arena_s *arena, bool in_background,
                       bool all);
give_back __real_je_arena_decay, __wrap_je_arena_decay;
/// Fills a thread's cache.
typedef void fill(void *thread, struct arena_s *arena, void *cache,
                  void *cache_size, unsigned class, unsigned count);
fill __real_je_arena_cache_bin_fill_small, __wrap_je_arena_cache_bin_fill_small;
int mallctl(const char *name, void *old, size_t *old_bytes, void *new,
            size_t new_bytes);

/// Takes fresh pages; behind the run before, if that is given.
typedef struct edata_s *grow(void *thread, void *pages, struct ehooks_s *hooks,
                             void *cache, struct edata_s *before, size_t bytes,
                             size_t alignment, bool zero, bool guarded);
grow __real_je_ecache_alloc_grow, __wrap_je_ecache_alloc_grow;
/// Takes the run out of a cache that is the first to go back.
typedef struct edata_s *evict(void *thread, void *pages, struct ehooks_s *hooks,
                              void *cache, size_t least_pages);
evict __real_je_ecache_evict, __wrap_je_ecache_evict;
/// Takes a run for an object or a slab, or null; and makes a run longer, and
/// returns false, if it can.
typedef struct edata_s *take(void *thread, struct pa_shard_s *pages,
                             size_t bytes, size_t alignment, bool slab,
                             unsigned class, bool zero, bool guarded,
                             bool *deferred);
take __real_je_pa_alloc, __wrap_je_pa_alloc;
typedef bool expand(void *thread, struct pa_shard_s *pages, struct edata_s *run,
                    size_t old_bytes, size_t new_bytes, unsigned class,
                    bool zero, bool *deferred);
expand __real_je_pa_expand, __wrap_je_pa_expand;
/// Puts a run into a cache.
typedef void keep(void *thread, void *pages, struct ehooks_s *hooks,
                  void *cache, struct edata_s *run);
keep __real_je_ecache_dalloc, __wrap_je_ecache_dalloc;

// What one jemalloc has for the other: pages of its arenas, but for one.
enum { NONE = -1 };
void count_pages(size_t *used, size_t *unused, unsigned but);
size_t purge_pages(size_t bytes, unsigned but);
void flush_cache(void);
void decay_pages(void);
// Whether jemalloc gives pages back by this thread; what a forked child forgets
// of its parent; and that jemalloc has looked whether time has passed (Fork.c).
bool gives_back_here(void);
void forget_parent(void);
void note_tick(void);
/// Whether another heap serves what gets no memory here (InRange.c, Pages.c).
extern const bool has_substitute;
// The same functions of the other jemalloc, and of small objects that lie in
// order (OtherHeap.c).
void thermocline_alloc_count_other(size_t *used, size_t *unused);
size_t thermocline_alloc_purge_other(size_t bytes);
void thermocline_alloc_flush_other(void);

/// Whether the thread gives pages back here, and how many more bytes.
OF_THREAD bool purging;
OF_THREAD size_t left_bytes;

/// How often the arenas got unused pages, or moved some.
static atomic_uint changes;
/// How many bytes of pages the thread did not get, in which arena, and after
/// which change; and how often it was refused since. 0 if it got all.
OF_THREAD size_t refused_bytes;
OF_THREAD const struct pa_shard_s *refused_by;
OF_THREAD unsigned refused_after, refusals;

/// Whether the thread looked if time has passed, and not yet for others.
OF_THREAD bool ticked;

static size_t bytes_of(const struct edata_s *run) {
  return run->bytes_and_number & ~(size_t)(PAGE_BYTES - 1);
}

/// jemalloc would give back all that an arena has.
struct edata_s *__wrap_je_ecache_evict(void *thread, void *pages,
                                       struct ehooks_s *hooks, void *cache,
                                       size_t least_pages) {
  if (purging && left_bytes == 0)
    return NULL;
  struct edata_s *run =
      __real_je_ecache_evict(thread, pages, hooks, cache, least_pages);
  if (run == NULL)
    return NULL;
  if (has_substitute)
    atomic_fetch_add(&changes, 1);
  if (purging)
    left_bytes -= bytes_of(run) < left_bytes ? bytes_of(run) : left_bytes;
  return run;
}

/// Adds the bytes that an arena has in use, and those that may go back.
static void count_arena(struct arena_s *arena, size_t *used, size_t *unused) {
  unsigned threads = 0;
  const char *dss;
  ssize_t dirty_ms, muzzy_ms;
  size_t active = 0, dirty = 0, muzzy = 0;
  je_arena_basic_stats_merge(NULL, arena, &threads, &dss, &dirty_ms, &muzzy_ms,
                             &active, &dirty, &muzzy);
  *used += active * PAGE_BYTES;
  if (dirty_ms >= 0)
    *unused += dirty * PAGE_BYTES;
}

void count_pages(size_t *used, size_t *unused, unsigned but) {
  for (unsigned i = 0, count = je_narenas_total_get(); i != count; ++i) {
    struct arena_s *arena = je_arenas[i];
    if (arena != NULL && i != but)
      count_arena(arena, used, unused);
  }
}

/// \returns how many of the bytes are to be given back still.
static size_t purge_arena(struct arena_s *arena, size_t bytes) {
  size_t used = 0, unused = 0;
  count_arena(arena, &used, &unused);
  if (unused == 0)
    return bytes;
  left_bytes = bytes;
  purging = true;
  __real_je_arena_decay(NULL, arena, false, true);
  purging = false;
  return left_bytes;
}

size_t purge_pages(size_t bytes, unsigned but) {
  for (unsigned i = 0, count = je_narenas_total_get(); i != count && bytes;
       ++i) {
    struct arena_s *arena = je_arenas[i];
    if (arena != NULL && i != but)
      bytes = purge_arena(arena, bytes);
  }
  return bytes;
}

/// Gives back what is due in all arenas, but in those where others do.
void decay_pages(void) {
  for (unsigned i = 0, count = je_narenas_total_get(); i != count; ++i) {
    struct arena_s *arena = je_arenas[i];
    if (arena != NULL)
      __real_je_arena_decay(NULL, arena, false, false);
  }
  ticked = false;
}

void note_tick(void) { ticked = true; }

static void pass_tick_on(void) {
  if (!ticked)
    return;
  ticked = false;
  thermocline_alloc_tick();
}

void __wrap_je_arena_decay(void *thread, struct arena_s *arena,
                           bool in_background, bool all) {
  __real_je_arena_decay(thread, arena, in_background, all);
  // jemalloc's own threads serve each its heap.
  if (!in_background && !all)
    pass_tick_on();
}

/// It ends with a tick of its own, which goes past the function above.
void __wrap_je_arena_cache_bin_fill_small(void *thread, struct arena_s *arena,
                                          void *cache, void *cache_size,
                                          unsigned class, unsigned count) {
  __real_je_arena_cache_bin_fill_small(thread, arena, cache, cache_size, class,
                                       count);
  pass_tick_on();
}

/// What a thread has in its cache keeps pages from going back. Only a thread
/// that has a cache here gets one by being asked.
void flush_cache(void) {
  if (je_tsd_tls.tcache_enabled)
    mallctl("thread.tcache.flush", NULL, NULL, NULL, 0);
}

/// How many threads have asked for all pages of an arena to go back, since
/// nobody gives them back.
static atomic_uint asked[MOST_ARENAS];

void forget_parent(void) {
  thermocline_alloc_forget_had();
  for (unsigned i = 0, count = je_narenas_total_get(); i != count; ++i)
    if (atomic_load(&asked[i]) != 0)
      atomic_store(&asked[i], 0);
}

/// Gives back all that the arena has unused.
static void purge_whole(struct arena_s *arena) {
  for (unsigned waits = 0; waits != MOST_WAITS; ++waits) {
    purge_arena(arena, SIZE_MAX);
    size_t used = 0, unused = 0;
    count_arena(arena, &used, &unused);
    if (unused == 0)
      return;
    sched_yield();
  }
}

static void ask_for_all(unsigned index) {
  struct arena_s *arena = je_arenas[index];
  if (arena == NULL || atomic_fetch_add(&asked[index], 1) != 0)
    return;
  unsigned served;
  do {
    served = atomic_load(&asked[index]);
    purge_whole(arena);
  } while (served != 0 &&
           !atomic_compare_exchange_strong(&asked[index], &served, 0));
}

static void prepare_to_grow(unsigned mine, size_t bytes) {
  OF_THREAD size_t grown_bytes;
  grown_bytes += bytes;
  if (grown_bytes >= GROWN_BYTES) {
    grown_bytes = 0;
    thermocline_alloc_flush_other();
  }
  struct arena_s *arena = je_arenas[mine];
  if (arena == NULL)
    return;
  // The arena of large objects has nothing unused, and it alone takes from
  // other arenas of its heap.
  bool is_large = bytes >= je_oversize_threshold;
  size_t used = 0, unused = 0, kept = 0;
  count_arena(arena, &used, &unused);
  thermocline_alloc_count_other(&used, &unused);
  count_pages(&used, is_large ? &unused : &kept, mine);
  bool has_had = thermocline_alloc_has_had(used + unused + kept + bytes, used);
  if ((has_had && je_opt_retain) ||
      !thermocline_alloc_exceeds_allowed(used, unused))
    return;
  size_t wanted = bytes > LEAST_BYTES ? bytes : LEAST_BYTES;
  wanted = purge_arena(arena, wanted);
  if (wanted != 0)
    wanted = thermocline_alloc_purge_other(wanted);
  if (wanted != 0 && is_large)
    purge_pages(wanted, mine);
}

struct edata_s *__wrap_je_ecache_alloc_grow(void *thread, void *pages,
                                            struct ehooks_s *hooks, void *cache,
                                            struct edata_s *before,
                                            size_t bytes, size_t alignment,
                                            bool zero, bool guarded) {
  prepare_to_grow(hooks->arena, bytes);
  return __real_je_ecache_alloc_grow(thread, pages, hooks, cache, before, bytes,
                                     alignment, zero, guarded);
}

/// Whether the thread did not get as many bytes of the same arena, and had
/// better not ask again.
static bool is_refused(const struct pa_shard_s *pages, size_t bytes) {
  return refused_bytes != 0 && bytes >= refused_bytes && pages == refused_by &&
         atomic_load(&changes) == refused_after && ++refusals % REFUSALS != 0;
}

struct edata_s *__wrap_je_pa_alloc(void *thread, struct pa_shard_s *pages,
                                   size_t bytes, size_t alignment, bool slab,
                                   unsigned class, bool zero, bool guarded,
                                   bool *deferred) {
  if (is_refused(pages, bytes))
    return NULL;
  const unsigned before = atomic_load(&changes);
  struct edata_s *run = __real_je_pa_alloc(
      thread, pages, bytes, alignment, slab, class, zero, guarded, deferred);
  if (run != NULL && bytes >= refused_bytes)
    refused_bytes = 0;
  // Where a larger alignment is asked for, there may be room for others.
  if (run == NULL && has_substitute && alignment <= PAGE_BYTES) {
    refused_bytes = bytes;
    refused_by = pages;
    refused_after = before;
    refusals = 0;
  }
  return run;
}

bool __wrap_je_pa_expand(void *thread, struct pa_shard_s *pages,
                         struct edata_s *run, size_t old_bytes,
                         size_t new_bytes, unsigned class, bool zero,
                         bool *deferred) {
  return is_refused(pages, new_bytes - old_bytes) ||
         __real_je_pa_expand(thread, pages, run, old_bytes, new_bytes, class,
                             zero, deferred);
}

void __wrap_je_ecache_dalloc(void *thread, void *pages, struct ehooks_s *hooks,
                             void *cache, struct edata_s *run) {
  size_t bytes = bytes_of(run);
  __real_je_ecache_dalloc(thread, pages, hooks, cache, run);
  if (has_substitute)
    atomic_fetch_add(&changes, 1);
  if (purging || gives_back_here())
    return;
  if (je_opt_dirty_decay_ms == 0) {
    ask_for_all(hooks->arena);
    return;
  }
  static atomic_size_t freed_bytes;
  if (atomic_fetch_add(&freed_bytes, bytes) + bytes < FREED_BYTES)
    return;
  atomic_store(&freed_bytes, 0);
  size_t used = 0, unused = 0;
  count_pages(&used, &unused, NONE);
  thermocline_alloc_count_other(&used, &unused);
  if (!thermocline_alloc_is_nearly_free(used, unused))
    return;
  thermocline_alloc_forget_had();
  purge_pages(SIZE_MAX, NONE);
  thermocline_alloc_purge_other(SIZE_MAX);
}
