// A program that nobody instrumented is profiled as it is: by the page table
// the runtime tells which of its objects are touched, and when.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fno-optimize-sibling-calls -Wl,--build-id %s -o program
// DEFINE: %{options} = test_clock=1:page_touches=1
// DEFINE: %{run} = env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:%{options} ./program
// RUN: %{run} 2> errors && %FileCheck %s --input-file=errors --allow-empty --check-prefix=QUIET
// QUIET-NOT: Thermocline
// RUN: %thermo-profdata show --all --binary=program raw.* | %FileCheck %s --check-prefix=RAW
// RAW: Windows: 10, of 10.0 to 10.0 ms of processor time
// RAW: Accesses: not counted
// RAW-DAG: objects touched, in % of each window: 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0{{$}}
// RAW-DAG: objects touched, in % of each window: 100.0 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00{{$}}
// RAW-DAG: objects touched, in % of each window: 100.0 {{[45][0-9]}}.0 {{[45][0-9]}}.0
// RAW-NOT: ever accessed
//
// So what is idle is cold, although no accesses are known. Totals say nothing.
// RUN: %thermo-profdata merge --binary=program -o prof raw.* | %FileCheck %s --check-prefix=MERGE
// MERGE: cold: 1 context, 187.5 KiB
// MERGE-NEXT: predicted working set: {{.*}} (-{{.*}} %)
// RUN: %thermo-profdata show --cold --binary=program prof | %FileCheck %s --check-prefix=COLD
// COLD: Cold means: apart from it, the program touches fewer pages
// COLD: #1 cold, 187.5 KiB in 3,000 allocations, lifetime
// COLD-NOT: accesses per byte
// COLD: at most about {{2,[89]..|3,[01]..}} objects live{{$}}
// COLD-NEXT: makeIdle
// RUN: %thermo-profdata show --cold-by-totals prof | grep 'Cold contexts: *0 '
// RUN: %thermo-profdata merge -o again prof prof --quiet && %thermo-profdata show again | grep 'Cold contexts: *1 '
// RUN: %thermo-profdata advise --binary=program prof raw.* | %FileCheck %s --check-prefix=ADVICE
// ADVICE: Working set: {{.*}} (-{{.*}} %)
//
// LLVM's tools read it, and find nothing cold.
// RUN: %llvm-profdata merge --profiled-binary=program raw.* -o stock && %llvm-profdata show --memory stock | %FileCheck %s --check-prefix=STOCK
// STOCK: Total cold contexts: 0
//
// Runs of which nobody knows what was touched, as others of a fleet may be, add
// to this what they know.
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:log_path=none ./program
// RUN: %thermo-profdata merge --binary=program -o mixed none.* raw.* 2>&1 | %FileCheck %s --check-prefix=MIXED
// MIXED: warning: 1 of 2 runs do not say when memory was touched
// MIXED: cold: 1 context, 375.0 KiB
//
// With sampling: the same, estimated.
// RUN: rm raw.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:%{options}:sample=10 ./program
// RUN: %thermo-profdata merge --quiet --binary=program -o prof raw.* && %thermo-profdata show --cold --binary=program prof | %FileCheck %s --check-prefix=SAMPLED
// SAMPLED: Cold contexts: 1 (
// SAMPLED: makeIdle
//
// Three objects of 3,000 tell little, in however many windows they are looked
// at. Three hundred tell enough.
// DEFINE: %{every} =
// DEFINE: %{few} = rm -f few.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=few:%{options}:sample=%{every} ./small && %thermo-profdata merge --quiet --binary=small -o prof few.* && %thermo-profdata show prof
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -fno-optimize-sibling-calls -Wl,--build-id -DSIZE=32 %s -o small
// REDEFINE: %{every} = 1000
// RUN: %{few} | grep 'Cold contexts: *0 '
// REDEFINE: %{every} = 10
// RUN: %{few} | grep 'Cold contexts: *1 '
//
// Where it cannot be done, that is said once, and the rest is as without it.
// RUN: mkdir root && env MEMPROF_OPTIONS=log_path=/raw:%{options} python3 %S/../Inputs/run_without_proc.py --preload=%preload root %t/program 2> errors
// RUN: %FileCheck %s --input-file=errors --check-prefix=NO-PROC && %thermo-profdata show root/raw.* | grep 'Allocations: *9,000$'
// NO-PROC: Thermocline: objects that are allocated from now on are not watched, as the kernel does not say which pages are touched
// NO-PROC-NOT: Thermocline
// RUN: %clang --config=%generate-cfg -O2 %s -o counted && env MEMPROF_OPTIONS=log_path=counted:%{options} ./counted 2>&1 | %FileCheck %s --check-prefix=COUNTED
// COUNTED: Thermocline: page_touches=1 is for programs that are not instrumented (libthermocline_preload.so); here accesses are counted

#include "../Inputs/pass_time.h"
#include <stdlib.h>
#include <string.h>

#ifndef SIZE
#define SIZE 64
#endif
enum { Number = 3000, Size = SIZE, HalfSize = 100 };
static char *Busy[Number], *Idle[Number], *Half[Number];

__attribute__((noinline)) static char *makeBusy(void) { return malloc(Size); }
__attribute__((noinline)) static char *makeIdle(void) { return malloc(Size); }
__attribute__((noinline)) static char *makeHalf(void) {
  return malloc(HalfSize);
}

int main(void) {
  for (int I = 0; I != Number; ++I) {
    Busy[I] = memset(makeBusy(), 1, Size);
    Idle[I] = memset(makeIdle(), 2, Size);
    Half[I] = memset(makeHalf(), 3, HalfSize);
  }
  int Wrong = 0;
  for (int Window = 0; Window != 10; ++Window) {
    for (int I = 0; I != Number; ++I) {
      Wrong += Busy[I][Size - 1] != 1;
      if (I % 2)
        Wrong += Half[I][0] != 3;
    }
    passMilliseconds(10);
  }
  for (int I = 0; I != Number; ++I) {
    Wrong += Idle[I][0] != 2 || Idle[I][Size - 1] != 2;
    free(Busy[I]);
    free(Idle[I]);
    free(Half[I]);
  }
  return Wrong != 0;
}
