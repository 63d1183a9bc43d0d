/*===- EndToEnd/Inputs/Truth.h - A program that tells what it intends -------===
 *
 * Part of the Thermocline project, under the Apache License v2.0 with LLVM
 * Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 *===------------------------------------------------------------------------===
 *
 * The test programs announce the temperature of what they are about to allocate.
 * Record.cpp, linked in the last build only, compares that with the hints of
 * the calls that arrive. Nothing here changes what a call stack looks like.
 *
 *===------------------------------------------------------------------------===*/

#ifndef TRUTH_H
#define TRUTH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum Intent {
  NoIntent,   /* anything else: must not be hinted */
  Warm,       /* used all the time: must not be hinted */
  Cold,       /* kept and not used, can be told apart: must be hinted */
  ColdBlended /* kept and not used, not to be told apart: must not be hinted */
};

/* What this thread is about to allocate. */
extern __thread enum Intent CurrentIntent;

/* Fills a block and remembers it with the current intent. Returns it. */
void *keep(void *Block, size_t Size);

/* Remembers an object whose contents are the program's. */
void *keepAsIs(void *Object, size_t Size);

/* Reads the warm blocks for a while, then looks once at all of them and prints
   how many there are and what they hold. */
void useAll(void);

#ifdef __cplusplus
}

/* The intent of a scope, whose end is a cleanup. */
class Intending {
  Intent Before = CurrentIntent;

public:
  explicit Intending(Intent Now) { CurrentIntent = Now; }
  ~Intending() { CurrentIntent = Before; }
  Intending(const Intending &) = delete;
  Intending &operator=(const Intending &) = delete;
};
#endif

#endif
