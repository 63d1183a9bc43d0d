// What record says to build with is for the architecture that the program is
// for.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%aarch64/config/thermocline-generate.cfg -O1 -fno-builtin %s -static -o program
// RUN: ulimit -c 0 && env MEMPROF_OPTIONS=test_clock=1 %thermocline record -o profile -- %emulate ./program > said 2>&1
// RUN: %FileCheck %s -DAARCH64=%aarch64 < said
// CHECK: Next, build with the profile
// CHECK-NEXT: clang++-22 --config=[[AARCH64]]/config/thermocline-use.cfg -fmemory-profile-use={{.*}} [[AARCH64]]/lib/libthermocline_alloc.a
//
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -static -o host
// RUN: env MEMPROF_OPTIONS=test_clock=1 %thermocline record -o profile -- ./host > said 2>&1
// RUN: %FileCheck %s -DBUILD=%build --check-prefix=HOST < said
// HOST: clang++-22 --config=[[BUILD]]/config/thermocline-use.cfg -fmemory-profile-use={{.*}} [[BUILD]]/lib/libthermocline_alloc.a

#include <stdlib.h>
#include <string.h>

__attribute__((weak)) _Bool __thermocline_pass_time(unsigned long);

static char *make(void) { return memset(malloc(100), 1, 100); }
__attribute__((noinline)) static char *makeIdle(void) {
  char *volatile Result = make();
  return Result;
}
__attribute__((noinline)) static char *makeBusy(void) {
  char *volatile Result = make();
  return Result;
}

int main(void) {
  enum { Number = 5000 };
  static char *Idle[Number], *Busy[Number];
  for (int I = 0; I != Number; ++I) {
    Idle[I] = makeIdle();
    Busy[I] = makeBusy();
  }
  for (int Pass = 0; Pass != 100; ++Pass) {
    for (int I = 0; I != Number; ++I)
      ++*(volatile char *)Busy[I];
    __thermocline_pass_time(20000);
  }
  return Idle[7][3] - 1;
}
