/* Freed memory goes back to the kernel when its time has passed, also if the
   program works in another heap meanwhile. The clock is the program's own.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: %t cold hot | %FileCheck %s --check-prefix=GONE
   RUN: %t hot cold | %FileCheck %s --check-prefix=GONE
   RUN: env THERMOCLINE_ALLOC_ORDER=1 %t cold hot | %FileCheck %s --check-prefix=GONE
   RUN: env THERMOCLINE_ALLOC_ORDER=1 %t hot cold | %FileCheck %s --check-prefix=GONE
   RUN: env THERMOCLINE_ALLOC_ORDER=1 %t large hot | %FileCheck %s --check-prefix=GONE
   GONE: before: kept
   GONE: after: gone
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 %t cold hot | %FileCheck %s --check-prefix=KEPT
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 %t hot cold | %FileCheck %s --check-prefix=KEPT
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 THERMOCLINE_ALLOC_ORDER=1 %t hot cold | %FileCheck %s --check-prefix=KEPT
   RUN: env MALLOC_CONF=dirty_decay_ms:-1 THERMOCLINE_ALLOC_ORDER=1 %t large hot | %FileCheck %s --check-prefix=KEPT
   KEPT: before: kept
   KEPT: after: kept
*/

#include "Inputs/resident.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

void *malloc_cold(size_t size);

/* A quarter of what is filled is more than may stay in any case. */
enum { FILL_BYTES = 128 << 20, SMALL = 1000, LARGE = 6000, OTHERS = 1000 };

static long long now_ms = 1000000;

/* In front of libc's. */
int clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  time->tv_sec = now_ms / 1000;
  time->tv_nsec = now_ms % 1000 * 1000000;
  return 0;
}

int main(int count, char **arguments) {
  if (count != 3)
    return 1;
  size_t size = strcmp(arguments[1], "large") == 0 ? LARGE : SMALL;
  void *(*fill)(size_t) =
      strcmp(arguments[1], "cold") == 0 ? malloc_cold : malloc;
  void *(*work)(size_t) =
      strcmp(arguments[2], "cold") == 0 ? malloc_cold : malloc;
  static char *filled[FILL_BYTES / SMALL], *others[OTHERS];
  size_t filled_count = FILL_BYTES / size;
  for (size_t i = 0; i != OTHERS; ++i)
    others[i] = work(16 + i % 900);

  long empty = resident_kib();
  for (size_t i = 0; i != filled_count; ++i)
    filled[i] = memset(fill(size), 1, size);
  long full = resident_kib() - empty;
  /* Half of it, or all would go back at once. */
  for (size_t i = 0; i != filled_count / 2; ++i)
    free(filled[i]);
  long before = resident_kib() - empty;

  /* Half a minute of work with other objects. */
  unsigned random = 1;
  for (int i = 0; i != 3000000; ++i) {
    now_ms += i % 100 == 0;
    random = random * 1103515245 + 12345;
    char **object = &others[(random >> 16) % OTHERS];
    free(*object);
    *object = work(16 + (random >> 8) % 900);
    **object = 1;
  }
  long after = resident_kib() - empty;
  printf("before: %s\n", before > full * 3 / 4 ? "kept" : "gone");
  printf("after: %s\n", after > full * 3 / 4    ? "kept"
                        : after < full * 6 / 10 ? "gone"
                                                : "half gone");
  return 0;
}
