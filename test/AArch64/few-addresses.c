// A kernel with 39 bits of addresses, as the emulator plays it: it maps from a
// third of them on, where the plan has the runtime's heap, so that this lies
// elsewhere among them. Large blocks are found as well, and code for sampling
// counts, as it does for all addresses of such a kernel.
//
// DEFINE: %{options} =
// DEFINE: %{build} = %clang -O1 %s -o %t %{options}
// DEFINE: %{run} = ulimit -c 0; env MEMPROF_OPTIONS=print_text=1:log_path=stdout %emulate -R 0x8000000000 %t
//
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate.cfg -static
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate-sampling.cfg -static
// RUN: %{build}
// RUN: %{run} 2>&1 | %FileCheck %s
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=sample=10:print_text=1:log_path=stdout %emulate -R 0x8000000000 %t 2>&1 | %FileCheck %s --check-prefixes=SAMPLED,CHECK
//
// SAMPLED: Thermocline: the addresses that sampling needs are taken; all allocations are recorded
// CHECK: alloc_count 20, size (ave/min/max) 800000.00 / 800000 / 800000
// CHECK-NEXT: access_count (ave/min/max): 2.00 / 2 / 2

#include <stdlib.h>

__attribute__((noinline)) static char *make(void) {
  volatile char *volatile Block = calloc(800, 1000);
  Block[0] = 1;
  Block[799999] = 1;
  return (char *)Block;
}

int main(void) {
  static char *Kept[20];
  for (int I = 0; I != 20; ++I)
    Kept[I] = make();
  for (int I = 0; I != 20; ++I)
    free(Kept[I]);
  return 0;
}
