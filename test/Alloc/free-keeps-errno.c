/* free leaves errno as it was, also where the kernel does not take memory back,
   as it is with locked memory.

   RUN: %clang -O1 -fno-builtin %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=dirty_decay_ms:0 %t | %FileCheck %s
   RUN: env MALLOC_CONF=dirty_decay_ms:1 %t | %FileCheck %s
   RUN: env MALLOC_CONF=dirty_decay_ms:0 THERMOCLINE_ALLOC_ORDER=1 %t | %FileCheck %s
   CHECK: ordinary: refused, errno changed by 0 calls
   CHECK: cold: refused, errno changed by 0 calls
*/

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

void *malloc_cold(size_t size);

enum { ROUNDS = 2000, COUNT = 20 };

static unsigned refused;
static long long now_ms = 1000000;

/* Both are in front of libc's. The clock goes on with each call. */
int madvise(void *start, size_t bytes, int advice) {
  (void)start, (void)bytes, (void)advice;
  ++refused;
  errno = EINVAL;
  return -1;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  (void)clock;
  now_ms += 100;
  time->tv_sec = now_ms / 1000;
  time->tv_nsec = now_ms % 1000 * 1000000;
  return 0;
}

static void measure(const char *name, void *(*allocate)(size_t)) {
  int changed = 0;
  refused = 0;
  for (int i = 0; i != ROUNDS; ++i) {
    size_t size = i % 2 ? 100000 : 1000;
    void *objects[COUNT];
    for (int j = 0; j != COUNT; ++j)
      objects[j] = memset(allocate(size), 1, size);
    for (int j = 0; j != COUNT; ++j) {
      errno = 0;
      free(objects[j]);
      changed += errno != 0;
    }
  }
  printf("%s: %s, errno changed by %d calls\n", name,
         refused ? "refused" : "never asked", changed);
}

int main(void) {
  measure("ordinary", malloc);
  measure("cold", malloc_cold);
  return 0;
}
