// What the allocator allocates for itself leaves nothing in the caches of
// threads: small objects lie in order from the first one on, of all sizes and
// after cold ones.
//
// RUN: %clang -O1 -fno-builtin -I%srcroot/runtime/alloc/include %s %liballoc -lm -o %t
// RUN: env THERMOCLINE_ALLOC_ORDER=1 %t | %FileCheck %s
// CHECK: 64 sizes side by side
// Where they lie by size class, few of these do.
// RUN: %t | %FileCheck %s --check-prefix=CLASSES
// CLASSES-NOT: 64 sizes

#include "thermocline/hints.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  free(malloc_cold(10));
  free(calloc_cold(1, 10));
  int Count = 0;
  for (int Size = 16; Size <= 1024; Size += 16) {
    char *One = malloc(Size), *Two = malloc(Size);
    // The first of a chunk lies elsewhere.
    char *Three = malloc(Size);
    Count += Two == One + Size || Three == Two + Size;
  }
  printf("%d sizes side by side\n", Count);
  return 0;
}
