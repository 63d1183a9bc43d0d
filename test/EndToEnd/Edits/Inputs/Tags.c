/*===- Edits/Inputs/Tags.c - What is allocated, by its temperature ------------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*/

#include "Tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int Tag;

enum { MaxBlocks = 1 << 20 };
static struct {
  volatile unsigned char *Bytes;
  unsigned Size;
  int Tag;
} Blocks[MaxBlocks];
static unsigned Used;
static volatile unsigned Noted;

void keep(void *Block, unsigned Size) {
  if (!Block || Used == MaxBlocks) {
    fprintf(stderr, "no memory, or too many blocks\n");
    abort();
  }
  memset(Block, 1, Size);
  Blocks[Used].Bytes = Block;
  Blocks[Used].Size = Size;
  Blocks[Used++].Tag = Tag;
}

void note(unsigned Number) { Noted += Number; }

static double now(void) {
  struct timespec Time;
  clock_gettime(CLOCK_MONOTONIC, &Time);
  return (double)Time.tv_sec + (double)Time.tv_nsec * 1e-9;
}

void useAll(void) {
  const double Start = now();
  unsigned Passes = 0;
  do
    for (unsigned I = 0; I != Used; ++I)
      if ((Blocks[I].Tag & 3) == Hot)
        for (unsigned At = 0; At < Blocks[I].Size; At += 4)
          Noted += Blocks[I].Bytes[At];
  while (++Passes < 40 || now() - Start < 0.1);
}
