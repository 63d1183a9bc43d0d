//===- alloc/jemalloc/Fork.c - No fork while pages go back ----------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Problem: jemalloc notes that a thread gives pages of an arena back, takes
// runs out of the arena, and lets the lock go meanwhile. A process that another
// thread forks at that time has the note and not the thread: the runs are lost,
// and its arena never gives anything back.
//
// So the thread that forks waits until nobody is giving pages back, and while
// it forks nobody begins to. Whoever gives back needs no lock of those that
// fork may hold by then, so nothing waits for each other; and pages can go back
// later as well.
//
//===----------------------------------------------------------------------===//

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_s;

/// Both give back pages of an arena: all, or what is due. The second says
/// whether time has gone on since it was asked last.
typedef void purge_all(void *thread, void *pages, void *decay, void *statistics,
                       void *cache, bool fully);
typedef bool purge_due(void *thread, void *pages, void *decay, void *statistics,
                       void *cache, int eagerness);
purge_all __real_je_pac_decay_all, __wrap_je_pac_decay_all;
purge_due __real_je_pac_maybe_decay_purge, __wrap_je_pac_maybe_decay_purge;
/// What is called for each arena: the first before other locks of arenas are
/// taken, the others after a fork.
typedef void at_fork(void *thread, struct arena_s *arena);
at_fork __real_je_arena_prefork0, __wrap_je_arena_prefork0,
    __real_je_arena_postfork_parent, __wrap_je_arena_postfork_parent,
    __real_je_arena_postfork_child, __wrap_je_arena_postfork_child;

static atomic_bool forking;
/// How many are giving pages back; and how often the thread itself is, which a
/// signal handler may interrupt.
static atomic_uint purging_threads;
static __thread unsigned purging_here
    __attribute__((tls_model("initial-exec")));

// Unused.c has these.
bool gives_back_here(void);
void forget_parent(void);
void note_tick(void);
/// Where the program has errno: in the cold heap, jemalloc itself uses another
/// (InRange.c, Pages.c).
int *errno_of_program(void);

bool gives_back_here(void) { return purging_here != 0; }

static void end_purge(void) {
  --purging_here;
  atomic_fetch_sub(&purging_threads, 1);
}

static bool begin_purge(void) {
  atomic_fetch_add(&purging_threads, 1);
  ++purging_here;
  if (!atomic_load(&forking))
    return true;
  end_purge();
  return false;
}

void __wrap_je_pac_decay_all(void *thread, void *pages, void *decay,
                             void *statistics, void *cache, bool fully) {
  if (!begin_purge())
    return;
  // The kernel may refuse to take pages back, such as locked ones.
  const int error = *errno_of_program();
  __real_je_pac_decay_all(thread, pages, decay, statistics, cache, fully);
  *errno_of_program() = error;
  end_purge();
}

bool __wrap_je_pac_maybe_decay_purge(void *thread, void *pages, void *decay,
                                     void *statistics, void *cache,
                                     int eagerness) {
  note_tick();
  if (!begin_purge())
    return false;
  const int error = *errno_of_program();
  bool went_on = __real_je_pac_maybe_decay_purge(thread, pages, decay,
                                                 statistics, cache, eagerness);
  *errno_of_program() = error;
  end_purge();
  return went_on;
}

/// jemalloc lets one thread at a time come here.
void __wrap_je_arena_prefork0(void *thread, struct arena_s *arena) {
  if (!atomic_exchange(&forking, true))
    while (atomic_load(&purging_threads) != purging_here)
      sched_yield();
  __real_je_arena_prefork0(thread, arena);
}

void __wrap_je_arena_postfork_parent(void *thread, struct arena_s *arena) {
  __real_je_arena_postfork_parent(thread, arena);
  atomic_store(&forking, false);
}

void __wrap_je_arena_postfork_child(void *thread, struct arena_s *arena) {
  __real_je_arena_postfork_child(thread, arena);
  forget_parent();
  atomic_store(&forking, false);
}
