// Kernels with 39 and 42 bits of addresses, as the emulator plays them: it maps
// from a third of them on, where the plan has the runtime's heap, so that this
// lies elsewhere among them. Large blocks are found as well, and code for
// sampling counts, as it does for all addresses of such a kernel.
//
// DEFINE: %{options} =
// DEFINE: %{build} = %clang -O1 %s -o %t %{options}
// DEFINE: %{sample} =
// DEFINE: %{run} = ulimit -c 0; for end in 0x8000000000 0x40000000000; do env MEMPROF_OPTIONS=print_text=1:log_path=stdout%{sample} %emulate -R $end %t || exit 1; done
//
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate.cfg -static
// RUN: %{build}
// RUN: %{run} | %FileCheck %s --check-prefixes=CHECK,AGAIN
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate-sampling.cfg -static
// RUN: %{build}
// RUN: %{run} 2>&1 | %FileCheck %s --check-prefixes=CHECK,AGAIN
// REDEFINE: %{sample} = :sample=10
// RUN: %{run} 2>&1 | %FileCheck %s --check-prefixes=SAMPLED,CHECK,SAMPLED-AGAIN,AGAIN
//
// SAMPLED: Thermocline: the addresses that sampling needs are taken; all allocations are recorded
// CHECK: alloc_count 20, size (ave/min/max) 800000.00 / 800000 / 800000
// CHECK-NEXT: access_count (ave/min/max): 2.00 / 2 / 2
// SAMPLED-AGAIN: Thermocline: the addresses that sampling needs are taken; all allocations are recorded
// AGAIN: alloc_count 20, size (ave/min/max) 800000.00 / 800000 / 800000
// AGAIN-NEXT: access_count (ave/min/max): 2.00 / 2 / 2

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
