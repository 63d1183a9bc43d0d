// What is not recorded comes from libc as if nobody profiled: at addresses with
// bit 46 set, with no header. If all were recorded, and most of
// it left out of the profile, everything but the cost would be the same.
// RUN: %clang --config=%generate-sampling-cfg -O1 %s -o %t
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:sample=100 %t | %FileCheck %s
// CHECK: of 20000 allocations {{([0-9]|[1-9][0-9]|[1-9][0-9][0-9])}} recorded
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0 %t | %FileCheck %s --check-prefix=ALL
// ALL: of 20000 allocations 20000 recorded
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  enum { Count = 20000 };
  static char *Blocks[Count];
  int Recorded = 0;
  for (int I = 0; I != Count; ++I) {
    Blocks[I] = malloc(24);
    *(volatile char *)Blocks[I] = 1;
    if (!((uintptr_t)Blocks[I] >> 46 & 1))
      ++Recorded;
  }
  for (int I = 0; I != Count; ++I)
    free(Blocks[I]);
  printf("of %d allocations %d recorded\n", (int)Count, Recorded);
}
