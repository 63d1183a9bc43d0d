/*===- Edits/Inputs/Tags.h - What is allocated, by its temperature ------------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===*/

#ifndef TAGS_H
#define TAGS_H

#ifdef __cplusplus
extern "C" {
#endif

/* What comes next: 4 times the number of the cell, a part of the program, and what
 * the profiled program did with it. New is what it did not have. */
enum { Hot = 1, Cold = 2, New = 3, MaxTags = 4096 };
extern int Tag;

/* Remembers a block. Hot ones are read over and over by useAll(). */
void keep(void *Block, unsigned Size);
/* Not an allocation, and not on the way to one. */
void note(unsigned Number);
void useAll(void);

#ifdef __cplusplus
}
#endif

#endif
