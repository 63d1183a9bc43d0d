/* Where the statistics cannot be written, one error says so; the program's exit
   code stays.

   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_STATS=%t.absent/stats %t 2>&1 | %FileCheck %s
   RUN: env THERMOCLINE_ALLOC_STATS=0 %t 2>&1 | %FileCheck %s --check-prefix=NONE --allow-empty
   CHECK: thermocline-alloc: error: {{.*}}.absent/stats: No such file or directory
   NONE-NOT: {{.}}
*/

#include "thermocline/hints.h"
#include <stdlib.h>

int main(void) {
  free(malloc_cold(1));
  return 0;
}
