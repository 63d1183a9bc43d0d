//===- alloc/jemalloc/ShortPath.c - What a short path never needs ---------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// jemalloc's malloc is a short path, which takes an object from the cache of
// the calling thread, and a long one for all else. A thread that has had no
// memory yet has nothing in its cache. So whatever has to be asked before the
// first memory is given out, such as who serves the process (Role.h), can be
// asked on the long path, where it costs nothing.
//
// The malloc of jemalloc.o jumps to its long path by a fixed distance. But
// jemalloc's operator new has the same short path compiled into it, and calls
// the long one by name. The build (Jemalloc.cmake) takes a copy of the operator
// for each function that is to have a short path, and gives the long path a
// name of ours. What else the object file refers to is named here: nothing of
// it runs, but where the long path of malloc returns null. The operator then
// asks for a new handler, finds none, and returns null as well.
//
//===----------------------------------------------------------------------===//

extern const char thermocline_alloc_short_no;
void *thermocline_alloc_short_nothing(void);
void thermocline_alloc_short_never(void);

/// Whether operator new ends the program where it gets no memory.
const char thermocline_alloc_short_no = 0;

/// The new handler; and whether a mutex could not be locked.
void *thermocline_alloc_short_nothing(void) { return 0; }

void thermocline_alloc_short_never(void) { __builtin_trap(); }
