// Where objects are watched, the program may name its phases as well: a change
// of phase waits for the thread that looks at them. The last window is ended
// when the program ends.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fno-optimize-sibling-calls -I%srcroot/runtime/profile/include -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:test_clock=1:page_touches=1 ./program 2> errors && %FileCheck %s --input-file=errors --allow-empty --check-prefix=QUIET
// QUIET-NOT: Thermocline
// RUN: %thermo-profdata show --all --binary=program raw.* | %FileCheck %s --check-prefix=RAW
// RAW: {{^Phases: *}} "load", window 1; "serve", window 2{{$}}
// RAW-DAG: objects touched, in % of each window: 100.0 0.00{{$}}
// RAW-DAG: objects touched, in % of each window: 100.0 100.0{{$}}
// RUN: %thermo-profdata merge --binary=program -o serve --phase=serve raw.* > said && %thermo-profdata show --cold --binary=program serve | %FileCheck %s --check-prefix=SERVE
// SERVE: Cold contexts: 1 (
// SERVE: makeLoaded
// RUN: %thermo-profdata merge --binary=program -o load --phase=load raw.* > said && %thermo-profdata show --cold --binary=program load | %FileCheck %s --check-prefix=LOAD
// LOAD: Cold contexts: 0 (

#include "../Inputs/pass_time.h"
#include <stdlib.h>
#include <string.h>
#include <thermocline/phases.h>

enum { Number = 3000, Size = 64 };
static char *Loaded[Number], *Served[Number];

__attribute__((noinline)) static char *makeLoaded(void) { return malloc(Size); }
__attribute__((noinline)) static char *makeServed(void) { return malloc(Size); }

static void enter(const char *Phase) {
  if (__thermocline_phase)
    __thermocline_phase(Phase);
}

static void touch(char **Objects) {
  for (int I = 0; I != Number; ++I)
    ++*(volatile char *)Objects[I];
  passMilliseconds(10);
}

int main(void) {
  enter("load");
  for (int I = 0; I != Number; ++I) {
    Loaded[I] = memset(makeLoaded(), 1, Size);
    Served[I] = memset(makeServed(), 1, Size);
  }
  for (int Window = 0; Window != 3; ++Window) {
    touch(Loaded);
    touch(Served);
  }
  enter("serve");
  for (int Window = 0; Window != 4; ++Window)
    touch(Served);
  return 0;
}
