// All watched objects are looked at, however many live that are not watched,
// and stand for the others.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1 ./program
// RUN: %thermo-profdata show --all --binary=program raw.* | %FileCheck %s
// CHECK: at most {{[23][0-9],...}} objects live
// CHECK: 31.2 KiB in 500 allocations
// CHECK-NEXT: objects touched, in % of each window: 100.0 {{[2-6][0-9].0 [2-6][0-9].0}}
// CHECK: at most {{[3-7][0-9][0-9]}} objects live

#include "../Inputs/pass_time.h"
#include <stdlib.h>
#include <string.h>

enum { Few = 500, Many = 30000 };
static char *First[Few], *Others[Many];

int main(void) {
  for (int I = 0; I != Few; ++I)
    First[I] = memset(malloc(64), 1, 64);
  for (int I = 0; I != Many; ++I)
    Others[I] = memset(malloc(32), 1, 32);
  for (int Window = 0; Window != 3; ++Window) {
    for (int I = 0; I < Few; I += 5)
      First[I][0] = First[I + 1][0] = 2;
    passMilliseconds(10);
  }
  return 0;
}
