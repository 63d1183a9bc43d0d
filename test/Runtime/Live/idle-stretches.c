// Objects that lie far from all that is touched gain nothing by a hint, though
// they are idle. Where watched objects would lie tells which those are.
// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{flags} = --config=%release-cfg -O1 -fno-builtin -Wl,--build-id
// DEFINE: %{profile} = env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1:sample=5
// DEFINE: %{merge} = %thermo-profdata merge -o prof
//
// RUN: %clang %{flags} %s -o program && %{profile} ./program apart
// RUN: %{merge} --binary=program raw.* | %FileCheck %s --check-prefix=APART
// RUN: rm raw.* && %{profile} ./program sides
// RUN: %{merge} --binary=program raw.* | %FileCheck %s --check-prefix=APART
// APART: cold: 0 contexts
// APART: nothing to gain
//
// RUN: rm raw.* && %{profile} ./program mixed
// RUN: %{merge} --binary=program raw.* | %FileCheck %s --check-prefix=MIXED
// MIXED: cold: 1 context
// MIXED: predicted working set: {{.*}} (-{{[3-6][0-9]}}.
//
// What is made later, in holes among busy objects, lies beside them.
// RUN: rm raw.* && %{profile} ./program holes
// RUN: %{merge} --binary=program raw.* | %FileCheck %s --check-prefix=MIXED
//
// In a program with hints, what is cold lies far from all else already. So it
// is compared with its like alone, and stays cold.
// RUN: rm raw.* && %{profile} ./program mixed && %{merge} --quiet --binary=program raw.*
// RUN: rm raw.* && %clang --config=%use-cfg %{flags} -fmemory-profile-use=prof %s -o hinted %liballoc
// RUN: env THERMOCLINE_ALLOC_STATS=1 ./hinted mixed 2>&1 | grep 'kind=total .* cold_calls=6000 '
// RUN: %{profile} ./hinted mixed
// RUN: %{merge} --binary=hinted raw.* | %FileCheck %s --check-prefix=MIXED

#include "../Inputs/pass_time.h"
#include <stdlib.h>
#include <string.h>

enum { Number = 6000, Size = 40 };
static char *Busy[Number], *Idle[Number];
static void *Gaps[2 * Number];

__attribute__((noinline)) static char *makeBusy(void) { return malloc(Size); }
__attribute__((noinline)) static char *makeIdle(void) { return malloc(Size); }

int main(int Count, char **Arguments) {
  const char *How = Count > 1 ? Arguments[1] : "mixed";
  // Of two ends of the heap, by turns.
  const int Sides = strcmp(How, "sides") == 0;
  for (int I = 0; Sides && I != 2 * Number; ++I)
    Gaps[I] = malloc(Size);
  for (int I = 0; Sides && I != Number; ++I) {
    free(Gaps[I]);
    free(Gaps[Number + I]);
    Gaps[I] = 0;
  }
  const int Mixed = Sides || strcmp(How, "mixed") == 0;
  for (int I = 0; I != Number; ++I) {
    Busy[I] = memset(makeBusy(), 1, Size);
    if (Mixed)
      Idle[I] = memset(makeIdle(), 1, Size);
    else if (strcmp(How, "holes") == 0)
      Gaps[I] = malloc(Size);
  }
  for (int I = 0; I != Number; ++I)
    free(Gaps[I]);
  for (int I = 0; !Mixed && I != Number; ++I)
    Idle[I] = memset(makeIdle(), 1, Size);

  for (int Window = 0; Window != 10; ++Window) {
    for (int I = 0; I != Number; ++I)
      Busy[I][0] = 2;
    passMilliseconds(10);
  }
  return 0;
}
