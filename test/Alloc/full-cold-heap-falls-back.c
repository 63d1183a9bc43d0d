/* When the cold heap has no room left, or is turned off, hinted calls get
   ordinary memory, and errno stays as it was; objects move between the heaps
   with their contents.

   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=16 THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=0 THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s --check-prefix=OFF
   RUN: env THERMOCLINE_ALLOC_COLD_MIB=many %t 2>&1 | %FileCheck %s --check-prefix=BAD
   CHECK: kind=malloc calls=64 bytes=67108864 cold_calls={{([1-9]|1[0-5])}} cold_bytes=
   CHECK: heap=cold live_bytes=0 mapped_bytes={{[0-9]+}} reserved_bytes=16777216
   OFF: kind=malloc calls=64 bytes=67108864 cold_calls=0 cold_bytes=0
   OFF: heap=cold live_bytes=0 mapped_bytes=0 reserved_bytes=0
   BAD: thermocline-alloc: error: THERMOCLINE_ALLOC_COLD_MIB=many is not a number of MiB; using 65536
*/

#include "thermocline/alloc.h"
#include "thermocline/hints.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 64, SIZE = 1 << 20 };

int main(void) {
  static char *objects[COUNT];
  for (int i = 0; i != COUNT; ++i) {
    objects[i] = malloc_cold(SIZE);
    if (objects[i] == NULL || errno != 0)
      return 1;
    memset(objects[i], i, SIZE);
  }
  for (int i = 0; i != COUNT; ++i) {
    objects[i] = realloc_cold(objects[i], 3 * SIZE);
    if (objects[i] == NULL)
      return 2;
    for (int j = 0; j != SIZE; ++j)
      if (objects[i][j] != i)
        return 3;
  }
  for (int i = 0; i != COUNT; ++i)
    free(objects[i]);
  return 0;
}
