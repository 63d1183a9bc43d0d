// Calls that the source has twice are made twice, each at its own place, in the
// profiled program and in what is annotated: each context of the unoptimized
// program is found, as often.

// RUN: %check-frames %t/O1 "-O1" "" %s
// RUN: %check-frames %t/O2 "-O2" "" %s
// RUN: %check-frames %t/O3 "-O3 -fno-plt -fPIC" "" %s
// RUN: %check-frames %t/Oz "-Oz" "" %s
// RUN: %check-frames %t/merge "-O2" "-Xclang -fmerge-functions" %s
// RUN: %check-frames %t/lld "-O2 -ffunction-sections" "-Wl,--icf=all" %s
// RUN: %check-frames %t/gold "-O2 -ffunction-sections" "-Wl,--icf=all -fuse-ld=gold" %s
// RUN: %check-frames %t/mold "-O2 -ffunction-sections" "-Wl,--icf=all -fuse-ld=mold" %s

#include "Inputs/checked-calls.h"
#include <cstring>

// In the arms of an if, as they stand and through inline functions.
NOINLINE char *arms(int N) {
  if (roll(2))
    return make(N);
  return make(N);
}
static inline char *left(int N) { return make(N); }
static inline char *right(int N) { return make(N); }
NOINLINE char *wrappers(int N) {
  if (roll(2))
    return left(N);
  return right(N);
}

// In those of a switch, with like ends.
NOINLINE void cases(int N) {
  switch (roll(5)) {
  case 0:
    keep(make(N));
    break;
  case 1:
    keep(left(N));
    break;
  case 2:
    keep(right(N));
    break;
  case 3:
    keep(make(N));
    break;
  default:
    keep(make(N + 1));
  }
}

// Invokes, whose landing pads allocate, too.
struct Guard {
  int N;
  ~Guard() {
    if (roll(2))
      keep(malloc(N + 2));
    else
      keep(malloc(N + 2));
  }
};
NOINLINE void invokes(int N) {
  Guard G{N};
  if (roll(2))
    make(N);
  else
    make(N);
  if (roll(2))
    left(N);
  else
    right(N);
}
NOINLINE void throws(int N) {
  try {
    Guard G{N};
    if (roll(2))
      throw make(N);
    throw make(N);
  } catch (char *P) {
    keep(roll(2) ? make(N) : make(N));
  }
}

// Calls that become others.
NOINLINE char *become(int N) {
  void *None = nullptr;
  if (roll(2))
    return static_cast<char *>(realloc(None, N));
  return static_cast<char *>(realloc(None, N));
}

// Functions that say that they are pure, and allocate when they are first
// called.
char *Known[8];
__attribute__((const)) NOINLINE char *table(int N) {
  char **At = &Known[N & 7];
  if (!*At)
    *At = make(N);
  return *At;
}
NOINLINE void pure(int N) {
  for (unsigned I = roll(4); I != 0; --I)
    keep(table(N));
  if (roll(2))
    keep(table(N + 1));
  else
    keep(table(N + 1));
}

// In loops that are unrolled, rotated, unswitched, and whose calls go by way
// of the GOT with -fno-plt.
NOINLINE void loops(int N) {
  for (int I = 0; I != 3; ++I)
    if (roll(2))
      keep(strdup("text"));
    else
      keep(strdup("text"));
  for (unsigned I = roll(9); I != 0; --I)
    if (N & 1)
      keep(make(N));
    else
      keep(make(N));
  while (make(N) && roll(2))
    make(N);
}
NOINLINE void outside(int N) {
  for (unsigned I = roll(9); I != 0; --I)
    keep(roll(2) ? strndup("text", N) : strndup("text", N));
}

// Functions whose code is the same.
NOINLINE static char *first(int N) { return make(N); }
NOINLINE static char *second(int N) { return make(N); }

int main() {
  for (int I = 0; I != 100; ++I) {
    keep(arms(I));
    keep(wrappers(I));
    cases(I);
    invokes(I);
    throws(I);
    keep(become(I + 1));
    pure(I);
    loops(I);
    outside(I);
    keep(first(I));
    keep(second(I));
  }
}
