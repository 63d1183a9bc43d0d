// What is born in holes at random lies among others: on pages of 4 KiB with
// some of them, on pages of 64 KiB with nearly all.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 %s -o program
// RUN: for K in 4 64; do env MEMPROF_OPTIONS=test_clock=1:log_path=raw-$K:page_kib=$K ./program && \
// RUN:   %thermo-profdata export --binary=program -o $K.json raw-$K.* && \
// RUN:   python3 %S/Inputs/part_among_born.py $K.json make || exit 1; done | %FileCheck %s
//
// One of 100 is born in a window: of 64 objects on a page one is, or none.
// CHECK: among what was born: {{[45][0-9]}} %
// CHECK-NEXT: among what was born: {{(8[5-9]|9[0-9])}} %

#include "../Inputs/pass_time.h"
#include <cstdlib>
#include <random>

constexpr size_t Count = 20000;
static char *Objects[Count];

__attribute__((noinline)) static char *make() {
  char *Made = static_cast<char *>(malloc(64));
  Made[0] = 1;
  return Made;
}

/// All are of one context.
__attribute__((noinline)) static void replace(char *&O) {
  free(O);
  O = make();
}

int main() {
  std::mt19937 Random(1);
  for (size_t I = 0; I != Count + 4000; ++I) {
    replace(Objects[I < Count ? I : Random() % Count]);
    // Windows take 5 ms, and all are born in the first.
    if (I >= Count && I % 40 == 0)
      passMilliseconds(1);
  }
  return 0;
}
