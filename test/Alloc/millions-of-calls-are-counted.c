/* Counts are exact however many calls a thread makes, and however large their
   objects are.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s
   CHECK: kind=malloc calls=1500100 bytes=4414804000 cold_calls=1500100 cold_bytes=4414804000
   CHECK: kind=calloc calls=1500000 bytes=4500000 cold_calls=1500000 cold_bytes=4500000
   CHECK: kind=total calls=3000100
*/

#include <stdlib.h>

void *malloc_cold(size_t size);
void *calloc_cold(size_t count, size_t size);

int main(void) {
  for (int i = 0; i != 100; ++i)
    free(malloc_cold(40 << 20));
  for (int i = 0; i != 1500000; ++i) {
    free(malloc_cold(147));
    free(calloc_cold(3, 1));
  }
  return 0;
}
