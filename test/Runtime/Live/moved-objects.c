// Objects that realloc() makes of others are watched with the same chance as
// others are, wherever the old ones were, so that estimates say how many live.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1 ./program
// RUN: %thermo-profdata show --all --binary=program raw.* | %FileCheck %s
// CHECK: at most {{1[5-9],...|2[0-5],...}} objects live

#include "../Inputs/pass_time.h"
#include <stdlib.h>

enum { Number = 20000, Rounds = 10 };
static char *All[Number];

int main(void) {
  for (int Round = 0; Round != Rounds; ++Round)
    for (int I = 0; I != Number; ++I) {
      All[I] = realloc(All[I], 50 + Round % 2);
      All[I][0] = 1;
    }
  passMilliseconds(10);
  passMilliseconds(10);
  return 0;
}
