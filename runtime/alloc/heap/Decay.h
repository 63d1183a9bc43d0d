//===- alloc/heap/Decay.h - Time passes for all heaps -----------*- C++ -*-===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Freed memory goes back to the kernel some time after it was freed. Nobody has
// a clock: threads look now and then, as they allocate and free, whether time
// has passed for the heap in which they do. A program may free much of one heap
// and go on in another. So whoever looks also does so for all others, about
// once a second.
//
//===----------------------------------------------------------------------===//

#ifndef THERMOCLINE_ALLOC_HEAP_DECAY_H
#define THERMOCLINE_ALLOC_HEAP_DECAY_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(hidden)

/// Gives back what is due in both jemallocs and of small objects in order, if
/// nobody has for a while. Threads call it now and then. They hold no lock of
/// these. errno stays as it was.
void thermocline_alloc_tick(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
