// Where something else lies at the addresses that sampling needs, the program
// works and all allocations are recorded. Code for sampling counts nothing then,
// and nothing looks cold for that.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 -D_GNU_SOURCE %s -o %t/counted
// RUN: env MEMPROF_OPTIONS=log_path=%t/counted.raw:sample=20 %t/counted 2>&1 | %FileCheck %s --check-prefix=RECORDED
// RECORDED: Thermocline: the addresses that sampling needs are taken; all allocations are recorded
// RUN: %thermo-profdata show --all --binary=%t/counted %t/counted.raw.* | %FileCheck %s --check-prefix=COUNTED
// COUNTED-NOT: Sampled
// COUNTED: 9.8 KiB in 1,000 allocations, lifetime {{[0-9]+}} ms, 0.10 accesses per byte
// COUNTED-NEXT: allocate
//
// RUN: %clang --config=%generate-sampling-cfg -O1 -D_GNU_SOURCE %s -o %t/sampling
// RUN: env MEMPROF_OPTIONS=log_path=%t/sampling.raw %t/sampling 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: Thermocline: the addresses in which code for sampling counts are in use: accesses are not known
// RUN: %thermo-profdata show --all --binary=%t/sampling %t/sampling.raw.* | %FileCheck %s --check-prefix=UNCOUNTED
// UNCOUNTED: Accesses: not counted

#include <stdlib.h>
#include <sys/mman.h>

/// Before the first allocation.
static void take(void) {
  mmap((void *)(1ul << 44), 4096, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}
__attribute__((section(".preinit_array"), used)) static void (*Take)(void) =
    take;

__attribute__((noinline)) static volatile char *allocate(void) {
  return malloc(10);
}

int main(void) {
  for (int I = 0; I < 1000; ++I) {
    volatile char *P = allocate();
    P[3] = 1;
    free((void *)P);
  }
}
