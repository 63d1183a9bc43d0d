// Libraries of the system are found for programs of each architecture, and not those of
// another that have the same names, so that it is known which function allocates in them.
//
// DEFINE: %{raw} = env MEMPROF_OPTIONS=test_clock=1
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%aarch64/config/thermocline-generate.cfg -O1 %s -Wl,-rpath,%aarch64/lib -o program
// RUN: ulimit -c 0 && %{raw} %thermocline record --binary=program -o profile -- %emulate ./program > said 2>&1
// RUN: %FileCheck %s < said
// RUN: %clang --config=%generate-cfg -O1 %s -o host
// RUN: %{raw} %thermocline record --binary=host -o profile -- ./host > said 2>&1
// RUN: %FileCheck %s < said
// CHECK: bytes cold allocated in
// CHECK-NEXT: libc.so.6
// CHECK-NEXT: asprintf
// CHECK-NOT: build id

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

__attribute__((weak)) _Bool __thermocline_pass_time(unsigned long);

int main() {
  static char *Texts[1000];
  for (int I = 0; I != 1000; ++I)
    if (asprintf(&Texts[I], "%d is the number of this text", I) < 0)
      return 1;
  volatile char *Used = malloc(100);
  for (int Pass = 0; Pass != 100; ++Pass) {
    for (int I = 0; I != 100; ++I)
      Used[I] = I;
    if (__thermocline_pass_time)
      __thermocline_pass_time(10000);
  }
  return 0;
}
