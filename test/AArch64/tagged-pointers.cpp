// Pointers with tags in their upper byte, which the processor ignores, are
// counted as those without.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%aarch64/config/thermocline-generate.cfg -O1 %s -Wl,-rpath,%aarch64/lib -o exact
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=print_text=1:log_path=stderr %emulate ./exact 2> exact.txt | %FileCheck %s --check-prefix=SUM
// RUN: %FileCheck %s < exact.txt
// RUN: %clangxx --config=%aarch64/config/thermocline-generate.cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 %s -Wl,-rpath,%aarch64/lib -o histogram
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=log_path=raw %emulate ./histogram | %FileCheck %s --check-prefix=SUM
// RUN: %clangxx --config=%aarch64/config/thermocline-generate-sampling.cfg -O1 %s -Wl,-rpath,%aarch64/lib -o sampling
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=print_text=1:log_path=stderr:sample=1 %emulate ./sampling 2> sampling.txt | %FileCheck %s --check-prefix=SUM
// RUN: %FileCheck %s < sampling.txt
//
// SUM: sum 450, copied 9
// CHECK: size (ave/min/max) 80.00
// CHECK-NEXT: access_count (ave/min/max): 130.00 / 130 / 130
// CHECK: size (ave/min/max) 88.00
// CHECK-NEXT: access_count (ave/min/max): 12.00 / 12 / 12

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

template <typename T> static T *tagged(T *Pointer, uintptr_t Tag) {
  return reinterpret_cast<T *>(reinterpret_cast<uintptr_t>(Pointer) |
                               Tag << 56);
}

int main() {
  auto *Plain = static_cast<long *>(malloc(80));
  auto *Copy = static_cast<long *>(malloc(88));
  long Sum = 0;
  for (unsigned Round = 0; Round != 10; ++Round) {
    volatile long *Numbers = tagged(Plain, 0x10 + Round);
    for (int I = 0; I != 10; ++I)
      Numbers[I] = I;
    Sum += Numbers[Round];
    Sum += 45 - Numbers[Round];
  }
  // One for each 8 bytes of either.
  long *volatile From = tagged(Plain, 0xA5);
  long *volatile To = tagged(Copy, 0x5A);
  memcpy(To, From, 80);
  volatile long *Last = To;
  printf("sum %ld, copied %ld\n", Sum, Last[9] + Last[0]);
  free(Plain);
  free(Copy);
}
