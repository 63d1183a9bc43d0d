// Accesses that a program counts itself, by the functions of LLVM's runtime, are
// as many with either runtime; with histograms, in the same places.
// RUN: rm -rf %t && mkdir %t && cd %t
// DEFINE: %{text} = env MEMPROF_OPTIONS=log_path=stdout:print_text=1
// RUN: %clang -fmemory-profile -O1 %s -o stock && %clang --config=%generate-cfg -O1 %s -o ours
// RUN: for program in stock ours; do %{text} ./$program; done | %FileCheck %s
// CHECK-COUNT-2: access_count (ave/min/max): 11.00 / 11 / 11
// RUN: %clang -fmemory-profile -mllvm -memprof-histogram -DHISTOGRAM -O1 %s -o stock && %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -DHISTOGRAM -O1 %s -o ours
// RUN: %{text} ./ours | %FileCheck %s --check-prefix=HISTOGRAM
// RUN: %{text} ./stock | %FileCheck %s --check-prefix=HISTOGRAM
// HISTOGRAM: access_count (ave/min/max): 11.00 / 11 / 11
// HISTOGRAM: AccessCountHistogram[{{[0-9]+}}]: 4 1 1 1 1 1 1 1 {{0?}}

#include <sanitizer/memprof_interface.h>
#include <stdlib.h>

void __memprof_record_access_hist(void const volatile *Address);
void __memprof_record_access_range_hist(void const volatile *Address,
                                        size_t Size);

int main(void) {
  char *volatile P = malloc(72);
  char *Block = P;
  for (int I = 0; I != 3; ++I)
#ifdef HISTOGRAM
    __memprof_record_access_hist(Block + I);
  __memprof_record_access_range_hist(Block, 64);
#else
    __memprof_record_access(Block + I);
  __memprof_record_access_range(Block, 64);
#endif
  free(Block);
  return 0;
}
