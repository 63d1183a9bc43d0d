// A limit of data does not keep a program from being profiled, and still holds
// for what the program itself asks for. One of addresses does; the message names
// it, and every other that there is.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -fno-builtin %s -o plain
// RUN: for mode in -pie -static; do %clang --config=%generate-cfg -O1 -fno-builtin $mode %s -o program && cp program program$mode && for options in sample=1 continuous=1 sample=10; do (ulimit -d 300000 && env MEMPROF_OPTIONS=log_path=raw:$options ./program) && %thermo-profdata show raw.* && rm raw.* || exit 1; done || exit 1; done | %FileCheck %s
// CHECK-COUNT-6: Allocations: {{(1,0|9)[0-9][0-9]$}}
// RUN: (ulimit -d 300000 && env MEMPROF_OPTIONS=log_path=raw LD_PRELOAD=%preload ./plain) && %thermo-profdata show raw.* | %FileCheck %s --check-prefix=PRELOAD
// PRELOAD: Allocations: {{(1,0|9)[0-9][0-9]$}}
// RUN: (ulimit -v 8000000 && %not --crash ./program-pie 2>&1) | %FileCheck %s --check-prefix=ADDRESSES
// ADDRESSES: {{^}}Thermocline: cannot reserve the addresses that profiling needs (19 TiB, of which little is used): ulimit -v is 8000000 KiB{{$}}
// RUN: (ulimit -v 8000000 && ulimit -d 300000 && %not --crash ./program-static 2>&1) | %FileCheck %s --check-prefix=BOTH
// BOTH: {{^}}Thermocline: cannot reserve {{.*}}: ulimit -v is 8000000 KiB, ulimit -d is 300000 KiB{{$}}
//
// Valgrind has no room either; it shows by what it preloads.
// RUN: %clang -x c -shared -fPIC /dev/null -o vgpreload_core-amd64-linux.so
// RUN: (ulimit -v 8000000 && env LD_PRELOAD=%t/vgpreload_core-amd64-linux.so %not --crash ./program-pie 2>&1) | %FileCheck %s --check-prefix=VALGRIND
// VALGRIND: {{^}}Thermocline: a program that is profiled cannot run under Valgrind, which has no room for the 19 TiB of addresses that profiling needs{{$}}

#include <stdlib.h>

int main(void) {
  for (int I = 0; I != 1000; ++I) {
    char *P = malloc(1000);
    if (!P)
      return 1;
    P[I % 1000] = 1;
  }
  // Within the limit, and beyond it.
  char *volatile Fits = malloc(100 << 20);
  char *volatile Not = malloc(400 << 20);
  return !Fits || Not;
}
