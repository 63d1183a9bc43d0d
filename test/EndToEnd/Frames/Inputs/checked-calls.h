// What the programs whose frames are checked have in common: an allocation that
// may throw, and dice.

#pragma once
#include <cstdlib>

#define NOINLINE __attribute__((noinline))

void *volatile Kept;
unsigned State = 1;

NOINLINE void keep(void *P) { Kept = P; }
NOINLINE unsigned roll(unsigned Sides) {
  State = State * 1664525u + 1013904223u;
  return (State >> 16) % Sides;
}
NOINLINE char *make(int N) {
  if (N > 1000000)
    throw N;
  char *P = static_cast<char *>(malloc(N + 1));
  keep(P);
  return P;
}
