/* Hinted calls reach the cold heap whether the allocator stands before
   libthermocline_hints.a on the link line or behind it.

   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc %libhints -fuse-ld=lld -o %t.before
   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %libhints %liballoc -fuse-ld=lld -o %t.behind
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.before 2>&1 | %FileCheck %s
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.behind 2>&1 | %FileCheck %s
   CHECK: kind=strdup calls=1 bytes=5 cold_calls=1 cold_bytes=5
*/

#include "thermocline/hints.h"
#include <stdlib.h>

int main(void) {
  free(strdup_cold("cold"));
  return 0;
}
