// A program that locks its memory: what is only reserved is not touched for it,
// and counters are cleared all the same.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1 ./program | %FileCheck %s
// RUN: (ulimit -l 64 && env MEMPROF_OPTIONS=log_path=stdout:print_text=1 ./program) | %FileCheck %s
// RUN: %clang -O1 -fno-builtin %s -o plain && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=preloaded ./plain
// CHECK: alloc_count 20, size (ave/min/max) 1048576.00 / 1048576 / 1048576
// CHECK-NEXT: access_count (ave/min/max): 2048.00 / 2048 / 2048

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

// Nothing is known of the address when the access is counted.
static volatile char *at(char *P, size_t Offset) {
  P += Offset;
  __asm__ volatile("" : "+r"(P));
  return P;
}

int main(void) {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
    return 1;
  for (int I = 0; I != 20; ++I) {
    char *P = malloc(1 << 20);
    if (!P)
      return 2;
    for (size_t Offset = 0; Offset != 1 << 20; Offset += 512)
      *at(P, Offset) = 1;
    free(P);
  }
  struct rusage Use;
  getrusage(RUSAGE_SELF, &Use);
  return Use.ru_maxrss > 200 * 1024 ? 3 : 0;
}
