/* Where each processor has an arena, threads may change the processor at any
   time, also while they get their caches.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=percpu_arena:percpu THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s
   CHECK: kind=total calls=2000 bytes=200000 cold_calls=2000
*/

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

void *malloc_cold(size_t size);

/* In front of libc's: another one each time. */
int sched_getcpu(void) {
  static atomic_int calls;
  return atomic_fetch_add(&calls, 1) % 2;
}

static void *work(void *unused) {
  for (int i = 0; i != 100; ++i) {
    free(malloc(100));
    free(malloc_cold(100));
  }
  return unused;
}

int main(void) {
  for (int i = 0; i != 20; ++i) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0 ||
        pthread_join(thread, NULL) != 0)
      return 1;
  }
  return 0;
}
