/*===- many_contexts.h - As many contexts as a test wants -----------------===*\
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===----------------------------------------------------------------------===*
 *
 * A binary tree of two functions that call each other: its leaves allocate.
 *
 *===----------------------------------------------------------------------===*/

#ifndef MANY_CONTEXTS_H
#define MANY_CONTEXTS_H

#include <stdlib.h>

/* A context for each of Bits bits of Path. */
static char *many(unsigned Path, unsigned Bits);
#define STEP(Name)                                                             \
  __attribute__((noinline)) static char *Name(unsigned Path, unsigned Bits) {  \
    char *Result = many(Path >> 1, Bits - 1);                                  \
    __asm__ volatile("# " #Name : "+r"(Result));                               \
    return Result;                                                             \
  }
STEP(even)
STEP(odd)
#undef STEP
__attribute__((noinline)) static char *many(unsigned Path, unsigned Bits) {
  if (Bits == 0)
    return (char *)malloc(10);
  return Path & 1 ? odd(Path, Bits) : even(Path, Bits);
}

#endif
