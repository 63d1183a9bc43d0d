/* A C program that makes hinted calls links with the C compiler alone, against
   either library, and takes no more of the fallback than it uses.

   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %libhints -o %t.hints
   RUN: %t.hints
   RUN: %llvm-nm --defined-only %t.hints | %FileCheck %s
   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t.alloc
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.alloc 2>&1 | %FileCheck %s --check-prefix=STATS
   RUN: %llvm-readelf -d %t.alloc | %FileCheck %s --check-prefix=NEEDED
   CHECK-NOT: aligned_alloc_cold
   CHECK: malloc_cold
   STATS: kind=total calls=1 bytes=10 cold_calls=1 cold_bytes=10
   NEEDED-NOT: libstdc++
*/

#include "thermocline/hints.h"
#include <stdlib.h>

int main(void) {
  free(malloc_cold(10));
  return 0;
}
