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

#ifdef __cplusplus
} // extern "C"
#endif

#endif
