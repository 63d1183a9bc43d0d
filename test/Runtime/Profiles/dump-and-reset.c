// A program takes profiles on demand: a later dump holds all of an earlier one,
// and after a reset another file begins, with what still lives.
// RUN: rm -rf %t && mkdir %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: env MEMPROF_OPTIONS=log_path=%t/raw:print_text=1 %t/program
// RUN: cat %t/raw.* | %FileCheck %s
// CHECK: alloc_count 3, size (ave/min/max) 11.00
// CHECK: alloc_count 1, size (ave/min/max) 22.00
// CHECK: alloc_count 1, size (ave/min/max) 22.00
// CHECK-NOT: 11.00
// CHECK: alloc_count 4, size (ave/min/max) 33.00

#include <sanitizer/memprof_interface.h>
#include <stdlib.h>

int main(void) {
  for (int I = 0; I < 3; ++I) {
    char *volatile P = malloc(11);
    free(P);
    if (__memprof_profile_dump() != 0)
      return 1;
  }
  char *volatile Kept = malloc(22);
  if (__memprof_profile_dump() != 0)
    return 1;
  __memprof_profile_reset();
  for (int I = 0; I < 4; ++I) {
    char *volatile P = malloc(33);
    free(P);
  }
  return 0;
}
