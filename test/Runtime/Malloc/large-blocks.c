// Large blocks that grow and shrink are moved, not copied, and each step is an
// allocation with its own accesses. What counted a block's accesses is given
// back with it, though addresses are used again late.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 ./program | %FileCheck %s
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1:sample=100 ./program | %FileCheck %s
// RUN: env MEMPROF_OPTIONS=log_path=raw:continuous=1:sync_interval_ms=1 ./program && %thermo-profdata show raw.* > shown
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fno-builtin %s -o histogram
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 ./histogram | %FileCheck %s
// RUN: %clang -O1 -fno-builtin %s -o plain && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=preloaded ./plain
// CHECK-DAG: alloc_count 63, size (ave/min/max) 34603008.00 / 2097152 / 67108864{{[[:space:]]+}}access_count (ave/min/max): 2.00 / 1 / 64
// CHECK-DAG: alloc_count 6, size (ave/min/max) 11010048.00 / 1048576 / 33554432{{[[:space:]]+}}access_count (ave/min/max): 1.00 / 1 / 1
// CHECK-DAG: alloc_count 50, size (ave/min/max) 10485760.00 / 10485760 / 10485760{{[[:space:]]+}}access_count (ave/min/max): 20480.00 / 20480 / 20480

#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { MiB = 1 << 20, Most = 64 };

// Nothing is known of the address when the access is counted.
static volatile char *at(char *P, size_t Offset) {
  P += Offset;
  __asm__ volatile("" : "+r"(P));
  return P;
}

int main(void) {
  char *P = malloc(MiB);
  for (int I = 1; I <= Most; ++I) {
    if (I > 1)
      P = realloc(P, (size_t)I * MiB);
    if (!P)
      return 1;
    *at(P, (size_t)I * MiB - 1) = (char)I;
    // The kernel does not move at once what has parts of several kinds.
    if (I == 20) {
      uintptr_t Page = ((uintptr_t)P + 5 * MiB) / 4096 * 4096;
      madvise((void *)Page, MiB, MADV_DONTDUMP);
    }
  }
  // The last step's are 1 and these.
  for (int I = 1; I != Most; ++I)
    if (*at(P, (size_t)I * MiB - 1) != (char)I)
      return 2;
  for (size_t Size = Most / 2; Size; Size /= 2) {
    P = realloc(P, Size * MiB);
    if (*at(P, Size * MiB - 1) != (char)Size)
      return 3;
  }
  P = realloc(P, 100);
  free(P);

  // 2 GiB of copies would be half a million pages, and as many of the counters
  // are looked at as belong to 2 GiB.
  struct rusage Before, After;
  getrusage(RUSAGE_SELF, &Before);
  if (Before.ru_minflt > 200000)
    return 4;
  for (int I = 0; I != 50; ++I) {
    P = malloc(10 * MiB);
    // Each page of counters.
    for (size_t Offset = 0; Offset != 10 * MiB; Offset += 512)
      *at(P, Offset) = 1;
    free(P);
  }
  getrusage(RUSAGE_SELF, &After);
  return After.ru_maxrss - Before.ru_maxrss > 40 * 1024 ? 5 : 0;
}
