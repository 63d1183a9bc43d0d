// A thread walks stacks of so many calls, and then of some in each millisecond,
// however many places there are that allocate: here there are 200, by their depths,
// of 10,000 allocations each, in no time by the clock of the test.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -fno-omit-frame-pointer -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1:sample=10 ./program
// RUN: %thermo-profdata show --binary=program raw.* | %FileCheck %s
// Without the limit, 200,000 would be.
// CHECK: {{[3-6]}},{{[0-9]+}} measured; the rest is estimated
// RUN: rm raw.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1:sample=10:touch_cost=30 ./program
// RUN: %thermo-profdata show --binary=program raw.* | %FileCheck %s --check-prefix=MORE
// MORE: {{[7-9]|1[0-2]}},{{[0-9]+}} measured; the rest is estimated
// RUN: rm raw.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:sample=10 ./program
// Nobody watches: the options are all that counts.
// RUN: %thermo-profdata show --binary=program raw.* | %FileCheck %s --check-prefix=ALL
// ALL: 20{{[0-9]}},{{[0-9]+}} measured; the rest is estimated

#include <stdlib.h>

static void *volatile Block;

__attribute__((noinline)) static void allocateBelow(int Depth) {
  if (Depth) {
    allocateBelow(Depth - 1);
    __asm__ volatile("" ::: "memory");
    return;
  }
  Block = malloc(48);
  free(Block);
}

int main(void) {
  for (int Round = 0; Round != 10000; ++Round)
    for (int Depth = 0; Depth != 200; ++Depth)
      allocateBelow(Depth);
  return 0;
}
