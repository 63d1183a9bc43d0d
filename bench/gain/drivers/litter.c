/*===- bench/gain/drivers/litter.c - A heap that was used before ----------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A library that is preloaded. Before the program starts, it allocates so many
// MiB in objects of many sizes, as GAIN_LITTER=MIB:SEED says, and frees three
// of four, in another order. So what the program loads then lies in holes, as
// in a server that has run for a while.
//
//===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t State;

/* Splitmix64. */
static uint64_t next(void) {
  uint64_t Z = State += 0x9e3779b97f4a7c15u;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
  return Z ^ (Z >> 31);
}

/* Most objects are small: each power of two from 16 bytes to 8 KiB is half as
 * frequent as the one before, and so has about as many of the bytes. */
static size_t nextSize(void) {
  unsigned Power = 4;
  while (Power != 13 && next() % 2)
    ++Power;
  const size_t Least = (size_t)1 << Power;
  return Least + next() % Least;
}

__attribute__((constructor)) static void litter(void) {
  const char *Asked = getenv("GAIN_LITTER");
  unsigned long MiB, Seed;
  if (!Asked || sscanf(Asked, "%lu:%lu", &MiB, &Seed) != 2)
    return;
  State = Seed;
  const size_t Bytes = MiB << 20, Most = Bytes / 16;
  void **Objects = malloc(Most * sizeof *Objects);
  size_t Made = 0, Sum = 0;
  while (Objects && Sum < Bytes && Made != Most) {
    const size_t Size = nextSize();
    void *Object = malloc(Size);
    if (!Object)
      break;
    memset(Object, 1, Size);
    Objects[Made++] = Object;
    Sum += Size;
  }
  for (size_t I = Made; I > 1; --I) {
    const size_t Other = next() % I;
    void *Swapped = Objects[I - 1];
    Objects[I - 1] = Objects[Other];
    Objects[Other] = Swapped;
  }
  for (size_t I = 0; I != Made; ++I)
    if (I % 4)
      free(Objects[I]);
  free(Objects);
}
