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
#include <time.h>

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

static double now(void) {
  struct timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return (double)Time.tv_sec + (double)Time.tv_nsec * 1e-9;
}

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
  double Start = now();
  unsigned Passes = 0;
  do
    readEvery(1, 1);
  while (++Passes < 64 || now() - Start < 0.06);
  printf("blocks %u, contents %lx\n", Used, readEvery(8, 0));
}
