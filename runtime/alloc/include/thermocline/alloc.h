//===- thermocline/alloc.h - What the segregating allocator did -----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only libthermocline_alloc defines these. See docs/allocator.md for the
// counters that it prints by itself.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_H
#define THERMOCLINE_ALLOC_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Calls of one kind since the process started or was forked. */
struct thermocline_alloc_counter {
  const char *kind;              /* "malloc", "new_array", ... */
  unsigned long long calls;      /* Hinted calls that returned memory. */
  unsigned long long bytes;      /* Asked for by them. */
  unsigned long long cold_calls; /* Those whose memory is in the cold heap. */
  unsigned long long cold_bytes; /* Asked for by those. */
};

/* The cold heap, in bytes. */
struct thermocline_alloc_heap {
  unsigned long long live_bytes;     /* Of objects not yet freed. */
  unsigned long long mapped_bytes;   /* Of addresses ever used. */
  unsigned long long reserved_bytes; /* Of addresses set aside. */
};

/* Fills up to capacity counters, in an order that stays, and heap unless it is
   NULL. Returns the number of counters that there are. */
size_t thermocline_alloc_stats(struct thermocline_alloc_counter *counters,
                               size_t capacity,
                               struct thermocline_alloc_heap *heap);

/* 1 if ptr points into the cold heap, else 0. */
int thermocline_alloc_is_cold(const void *ptr);

/* Where the kernel keeps the heaps. All return 0, or what went wrong, as errno
   has it: ENOTSUP if there is no cold heap, or the kernel lacks what is asked
   for; EINVAL for a bad argument; or the error of the system call. The
   environment can ask for the same from the start: see docs/allocator.md. */

/* Ordinary objects on huge pages, cold ones not. Unless on is 0, memory that
   the ordinary heap takes from the kernel from now on may be on huge pages
   (MADV_HUGEPAGE), and none of the cold heap (MADV_NOHUGEPAGE). Memory that the
   ordinary heap has already stays as it is, so call this early. Without a call,
   what the ordinary heap takes after its first 8 MiB may be on huge pages. */
int thermocline_alloc_use_huge_pages(int on);

enum thermocline_alloc_advice {
  /* First to be paged out when memory is short (MADV_COLD). */
  THERMOCLINE_ALLOC_DEACTIVATE = 1,
  /* Paged out now, to where the system swaps, which may be compressed memory
     (MADV_PAGEOUT). Where nothing is to swap to, it stays. */
  THERMOCLINE_ALLOC_PAGE_OUT = 2
};

/* Advises the kernel on all memory that the cold heap has now. */
int thermocline_alloc_advise_cold(enum thermocline_alloc_advice advice);

/* Binds the cold heap to NUMA nodes, as "1" or "0,2-3" (mbind): what it has is
   moved there, and what it takes from now on is on them. "" takes the binding
   back. Not for two threads at the same time. */
int thermocline_alloc_bind_cold(const char *nodes);

/* A program may define this, to carry settings of its own: names and values of
   what the environment can say, in lower case and without THERMOCLINE_ALLOC_,
   with spaces between them, such as "huge_pages=1 cold_mib=4096". The names are
   cold_advice, cold_mib, cold_nodes, huge_pages and order; and malloc_conf,
   whose value is what MALLOC_CONF may say. The environment goes before it. It
   is read before main and before constructors, so it must be initialized with a
   constant. */
extern const char *thermocline_alloc_options;

#ifdef __cplusplus
} // extern "C"
#endif

#endif
