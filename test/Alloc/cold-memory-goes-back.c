/* Freed cold memory goes back to the kernel as freed ordinary memory does: when
   jemalloc's time has passed, which MALLOC_CONF sets, or by malloc_trim.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=dirty_decay_ms:0 %t | %FileCheck %s --check-prefix=GONE
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 %t | %FileCheck %s --check-prefix=KEPT
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 %t trim | %FileCheck %s --check-prefix=GONE
   GONE: cold: most is gone
   GONE: ordinary: most is gone
   KEPT: cold: most is kept
   KEPT: ordinary: most is kept
   One word about a mistake, though there are two heaps.
   RUN: env MALLOC_CONF=no_such_option:1 %t 2>&1 | %FileCheck %s --check-prefix=WORD
   WORD-COUNT-1: no_such_option
   WORD-NOT: no_such_option
*/

#include "Inputs/resident.h"
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *malloc_cold(size_t size);

enum { COUNT = 64 << 10, SIZE = 1000 };

static void measure(const char *name, void *(*allocate)(size_t), int trim) {
  static void *objects[COUNT];
  long before = resident_kib();
  for (int i = 0; i != COUNT; ++i)
    objects[i] = memset(allocate(SIZE), 1, SIZE);
  long full = resident_kib() - before;
  for (int i = 0; i != COUNT; ++i)
    free(objects[i]);
  if (trim)
    malloc_trim(0);
  long left = resident_kib() - before;
  printf("%s: most is %s\n", name,
         left < full / 10       ? "gone"
         : left > full * 9 / 10 ? "kept"
                                : "neither");
}

int main(int count, char **arguments) {
  (void)arguments;
  setvbuf(stdout, NULL, _IONBF, 0);
  measure("cold", malloc_cold, count > 1);
  measure("ordinary", malloc, count > 1);
  return 0;
}
