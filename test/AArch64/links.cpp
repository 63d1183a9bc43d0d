// Profiled programs of all kinds of links: without position-independent code,
// static, static and position independent, with the archive, and for sampling;
// by GNU ld, and by lld.
//
// DEFINE: %{options} =
// DEFINE: %{build} = %clangxx -O1 %s -o %t %{options}
// DEFINE: %{run} = ulimit -c 0; env MEMPROF_OPTIONS=print_text=1:log_path=stdout %emulate %t
//
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate.cfg -no-pie -Wl,-rpath,%aarch64/lib
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate.cfg -static
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate.cfg -static-pie -fuse-ld=lld
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate-archive.cfg -fuse-ld=lld
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// REDEFINE: %{options} = --config=%aarch64/config/thermocline-generate-sampling.cfg -Wl,-rpath,%aarch64/lib
// RUN: %{build}
// RUN: %{run} | %FileCheck %s
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=sample=10:print_text=1:log_path=stdout %emulate %t | %FileCheck %s --check-prefix=SAMPLED
//
// CHECK: alloc_count 300, size (ave/min/max) 4000.00 / 4000 / 4000
// CHECK-NEXT: access_count (ave/min/max): 1000.00 / 1000 / 1000
// SAMPLED: alloc_count {{2[89][0-9]|3[01][0-9]}}, size (ave/min/max) 4000.00 / 4000 / 4000
// SAMPLED-NEXT: access_count (ave/min/max): 1000.00 / 1000 / 1000

#include <cstdlib>

__attribute__((noinline)) static int *make() {
  auto *volatile Numbers = static_cast<int *>(malloc(4000));
  for (int I = 0; I != 1000; ++I)
    Numbers[I] = I;
  return Numbers;
}

int main() {
  for (int I = 0; I != 300; ++I)
    free(make());
}
