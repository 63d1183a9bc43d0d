/*===- EndToEnd/Inputs/Truth.c - A program that tells what it intends -------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * Part of every test program, compiled as its other files are. Allocates
 *nothing.
 *
 *===------------------------------------------------------------------------===*/

#include "Truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread enum Intent CurrentIntent;

enum { MaxBlocks = 4096 };

static struct {
  const volatile unsigned char *Bytes;
  size_t Size;
  enum Intent Intent;
} Blocks[MaxBlocks];
static unsigned Used;

void *keepAsIs(void *Object, size_t Size) {
  /* Threads come here too. */
  unsigned I = __atomic_fetch_add(&Used, 1, __ATOMIC_RELAXED);
  if (!Object || I >= MaxBlocks) {
    fprintf(stderr, "no memory, or too many blocks\n");
    abort();
  }
  Blocks[I].Bytes = Object;
  Blocks[I].Size = Size;
  Blocks[I].Intent = CurrentIntent;
  return Object;
}

void *keep(void *Block, size_t Size) {
  memset(keepAsIs(Block, Size), (int)(Size * 31 + 7), Size);
  return Block;
}

_Bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

static unsigned long readEvery(size_t Step, int WarmOnly) {
  unsigned long Sum = 0;
  for (unsigned I = 0; I != Used; ++I)
    if (!WarmOnly || Blocks[I].Intent == Warm)
      for (size_t At = 0; At < Blocks[I].Size; At += Step)
        Sum += Blocks[I].Bytes[At] * (At + 1);
  return Sum;
}

void useAll(void) {
  /* Long beside the start of the program, so that what is kept lives long. */
  for (unsigned Pass = 0; Pass != 64; ++Pass) {
    readEvery(1, 1);
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  printf("blocks %u, contents %lx\n", Used, readEvery(8, 0));
}
