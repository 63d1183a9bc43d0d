/* jemalloc lets one thread at a time give back the pages of an arena. Where nothing
   freed is to stay, what another thread frees meanwhile goes back too, though nobody
   frees anything after it.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=narenas:1,dirty_decay_ms:0 %t | %FileCheck %s
   CHECK: all went back
   Who wants to keep all keeps all.
   RUN: env MALLOC_CONF=narenas:1,dirty_decay_ms:-1 %t | %FileCheck %s --check-prefix=KEPT
   KEPT: some stayed
*/

#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { COUNT = 128, SIZE = 100000, MIB = 1 << 20 };

static void *objects[COUNT];
static sem_t begin, end;
/* Whether the next pages that go back wait for the other thread, which has begun then. */
static atomic_bool waits, begun;

static void run_the_other(void) {
  if (atomic_exchange(&begun, 1))
    return;
  sem_post(&begin);
  sem_wait(&end);
}

/* The allocator calls this one. */
int madvise(void *start, size_t bytes, int advice) {
  if (waits)
    run_the_other();
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

static void *free_all(void *unused) {
  (void)unused;
  sem_wait(&begin);
  for (int i = 0; i != COUNT; ++i)
    free(objects[i]);
  sem_post(&end);
  return NULL;
}

static long resident_bytes(void) {
  long total = 0, resident = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%ld %ld", &total, &resident) != 2)
    abort();
  fclose(file);
  return resident * sysconf(_SC_PAGESIZE);
}

int main(void) {
  pthread_t other;
  sem_init(&begin, 0, 0);
  sem_init(&end, 0, 0);
  if (pthread_create(&other, NULL, free_all, NULL) != 0)
    abort();
  for (int i = 0; i != COUNT; ++i)
    objects[i] = memset(malloc(SIZE), 1, SIZE);
  void *last = memset(malloc(SIZE), 1, SIZE);
  long before = resident_bytes();
  waits = 1;
  free(last);
  waits = 0;
  run_the_other();
  long gone = before - resident_bytes();
  pthread_join(other, NULL);
  puts(gone > 10 * MIB ? "all went back" : "some stayed");
  return 0;
}
