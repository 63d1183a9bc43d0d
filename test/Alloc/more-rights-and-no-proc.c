/* A program with more rights than who started it ignores the allocator's
   environment. Without /proc all works, under a limit, too.

   RUN: %clang -O1 -fno-builtin %s %liballoc -fuse-ld=lld -o %t
   RUN: rm -f %t.stats && env THERMOCLINE_ALLOC_STATS=%t.stats THERMOCLINE_ALLOC_COLD_MIB=0 \
   RUN:   python3 %S/../Runtime/Inputs/run_with_more_rights.py %t | %FileCheck %s && test ! -e %t.stats
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=0 %t | %FileCheck %s --check-prefix=OFF
   RUN: rm -rf %t.root && mkdir %t.root && python3 %S/../Runtime/Inputs/run_without_proc.py %t.root %t | %FileCheck %s
   RUN: rm -rf %t.root && mkdir %t.root && (ulimit -v 300000; python3 %S/../Runtime/Inputs/run_without_proc.py %t.root %t | %FileCheck %s)
   CHECK: cold: 1
   OFF: cold: 0
*/

#include <stdio.h>
#include <stdlib.h>

void *malloc_cold(size_t size);
int thermocline_alloc_is_cold(const void *memory);

int main(void) {
  int cold = 1;
  for (int i = 0; i != 64; ++i) {
    void *memory = malloc_cold(1 << 20);
    if (memory == NULL)
      return 1;
    /* Under the limit, as many of them as the range may grow. */
    cold &= i >= 16 || thermocline_alloc_is_cold(memory);
  }
  printf("cold: %d\n", cold);
  return 0;
}
