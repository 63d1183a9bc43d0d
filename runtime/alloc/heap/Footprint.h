//===- alloc/heap/Footprint.h - How much may stay unused --------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// When freed memory goes back to the kernel beside jemalloc's own decay. The
// rules are the same for the heaps of both jemallocs (jemalloc/Unused.c, which
// is C and says why) and for chunks in order (order/ChunkPool.h): all bytes are
// those of the three together.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_HEAP_FOOTPRINT_H
#define THERMOCLINE_ALLOC_HEAP_FOOTPRINT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/// Whether more stays unused than is allowed beside what is used.
bool thermocline_alloc_exceeds_allowed(size_t used, size_t unused);
/// Whether the process has had as many bytes before, used or allowed beside it,
/// since nearly all was free. Counts what is used now as had. What is asked for
/// does not count before it is there, or a request that fails would count.
bool thermocline_alloc_has_had(size_t bytes, size_t used);
/// Whether so little is used that all of what is unused goes back.
bool thermocline_alloc_is_nearly_free(size_t used, size_t unused);
/// What the process has had counts no more: nearly all is free, or the process
/// is a forked child.
void thermocline_alloc_forget_had(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
