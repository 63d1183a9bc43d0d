//===- alloc/jemalloc/OtherHeap.c - What a heap asks of the other ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each jemalloc has this once: what Unused.c asks, of the jemalloc of the other
// heap (its names begin with other_ here, see Jemalloc.cmake), and of small
// objects that lie in order (order/ChunkPool.h, OrderHeap.h).
//
//===----------------------------------------------------------------------===//

#include <stddef.h>

// The functions of Unused.c there.
enum { NONE = -1 };
void other_count_pages(size_t *used, size_t *unused, unsigned but);
size_t other_purge_pages(size_t bytes, unsigned but);
void other_flush_cache(void);

void thermocline_alloc_count_order(size_t *used, size_t *unused);
size_t thermocline_alloc_purge_order(size_t bytes);
void thermocline_alloc_flush_order(void);

void thermocline_alloc_count_other(size_t *used, size_t *unused);
size_t thermocline_alloc_purge_other(size_t bytes);
void thermocline_alloc_flush_other(void);

void thermocline_alloc_count_other(size_t *used, size_t *unused) {
  other_count_pages(used, unused, NONE);
  thermocline_alloc_count_order(used, unused);
}

size_t thermocline_alloc_purge_other(size_t bytes) {
  bytes = other_purge_pages(bytes, NONE);
  return bytes == 0 ? 0 : thermocline_alloc_purge_order(bytes);
}

void thermocline_alloc_flush_other(void) {
  other_flush_cache();
  thermocline_alloc_flush_order();
}
