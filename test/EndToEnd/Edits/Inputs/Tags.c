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

_Bool __thermocline_pass_time(unsigned long Microseconds)
    __attribute__((weak));

void useAll(void) {
  for (unsigned Pass = 0; Pass != 100; ++Pass) {
    for (unsigned I = 0; I != Used; ++I)
      if ((Blocks[I].Tag & 3) == Hot)
        for (unsigned At = 0; At < Blocks[I].Size; At += 4)
          Noted += Blocks[I].Bytes[At];
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
}
