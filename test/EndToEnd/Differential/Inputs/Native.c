/*===- Differential/Inputs/Native.c - Code that no plugin has seen ------------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Once an object of the program, and once, with LIBRARY, a shared library.
 *
 *===------------------------------------------------------------------------===*/

#include "Calls.h"

#include <stdlib.h>
#include <ucontext.h>

#ifdef LIBRARY
#define NAME(X) library##X
#else
#define NAME(X) native##X
#endif

void NAME(Call)(Call *F, unsigned N) {
  F(N);
  __asm__ volatile("" ::: "memory");
}

void NAME(Jump)(Call *F, unsigned N) { F(N); }

static Call *Passed;
static unsigned PassedN;
static ucontext_t Here;
static void begin(void) {
  const ucontext_t Back = Here;
  Passed(PassedN);
  setcontext(&Back);
}
void NAME(Context)(Call *F, unsigned N) {
  enum { Size = 1 << 17, Number = 128 };
  static char Stacks[Number][Size];
  static unsigned Depth;
  if (Depth == Number)
    abort();
  const ucontext_t Outer = Here;
  ucontext_t There;
  getcontext(&There);
  There.uc_stack.ss_sp = Stacks[Depth++];
  There.uc_stack.ss_size = Size;
  There.uc_link = NULL;
  Passed = F, PassedN = N;
  makecontext(&There, begin, 0);
  swapcontext(&Here, &There);
  --Depth;
  Here = Outer;
}

static Call *Stored;
void NAME(Store)(Call *F) { Stored = F; }
void NAME(Fire)(unsigned N) {
  Call *F = Stored;
  Stored = NULL;
  if (F)
    F(N);
}

void *NAME(Allocate)(size_t Size) { return malloc(Size + 16); }
