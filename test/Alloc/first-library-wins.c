/* With the allocator before the fallback on the link line, hinted calls reach the
   cold heap; the other way round, the fallback's members come first.

   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc %libhints -fuse-ld=lld -o %t.cold
   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %libhints %liballoc -fuse-ld=lld -o %t.plain
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.cold 2>&1 | %FileCheck %s --check-prefix=COLD
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.plain 2>&1 | %FileCheck %s --check-prefix=PLAIN --allow-empty
   COLD: kind=strdup calls=1 bytes=5 cold_calls=1 cold_bytes=5
   PLAIN-NOT: kind=strdup calls=1
*/

#include "thermocline/hints.h"
#include <stdlib.h>

int main(void) {
  free(strdup_cold("cold"));
  return 0;
}
