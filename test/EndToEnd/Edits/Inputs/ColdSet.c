/*===- Edits/Inputs/ColdSet.c - Which blocks were hinted ----------------------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * An allocator that remembers what it was asked for with a hint: such blocks have
 * an odd word in front.
 *
 *===------------------------------------------------------------------------===*/

#include <stddef.h>

extern void *__libc_malloc(size_t);

static void *allocate(size_t Size, size_t Mark) {
  size_t *Block = __libc_malloc(Size + 16);
  Block[1] = Mark;
  return Block + 2;
}

void *malloc_cold(size_t Size) { return allocate(Size, 1); }
void *malloc(size_t Size) { return allocate(Size, 0); }
void free(void *Block) { (void)Block; }

int isHinted(const void *Block) { return ((const size_t *)Block)[-1] == 1; }
