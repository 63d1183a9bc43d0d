/* A process may be forked while other threads give pages of both heaps back to
   the kernel. The child can use both heaps, and gives back what it frees: all of it
   if nothing may decay later.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -lm -fuse-ld=lld -o %t
   RUN: env MALLOC_CONF=dirty_decay_ms:0 %t | %FileCheck %s --check-prefixes=CHECK,ALL
   RUN: %t | %FileCheck %s
   CHECK: 25 children ended
   ALL: 25 gave back what they freed
*/

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *malloc_cold(size_t size);

enum { THREADS = 2, CHILDREN = 25, SIZE = 20000, MIB = 1 << 20 };

static atomic_bool done;

static void fill_and_free(void *(*allocate)(size_t), int count) {
  void **objects = malloc(count * sizeof(void *));
  for (int i = 0; i != count; ++i)
    objects[i] = memset(allocate(SIZE), 1, SIZE);
  for (int i = 0; i != count; ++i)
    free(objects[i]);
  free(objects);
}

/* Both heaps by turns: each gives back what the other has freed, to grow. */
static void *work(void *unused) {
  (void)unused;
  while (!done) {
    fill_and_free(malloc, 2 * MIB / SIZE);
    fill_and_free(malloc_cold, 2 * MIB / SIZE);
  }
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

static int child(void) {
  long before = resident_bytes();
  fill_and_free(malloc, 8 * MIB / SIZE);
  fill_and_free(malloc_cold, 8 * MIB / SIZE);
  fill_and_free(malloc, 8 * MIB / SIZE);
  return resident_bytes() - before > 12 * MIB;
}

int main(void) {
  pthread_t threads[THREADS];
  for (int i = 0; i != THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, NULL) != 0)
      abort();
  int ended = 0, good = 0;
  for (int i = 0; i != CHILDREN; ++i) {
    pid_t process = fork();
    if (process < 0)
      abort();
    if (process == 0)
      _exit(child());
    int status = 0;
    if (waitpid(process, &status, 0) != process)
      abort();
    ended += WIFEXITED(status);
    good += status == 0;
  }
  done = 1;
  for (int i = 0; i != THREADS; ++i)
    pthread_join(threads[i], NULL);
  printf("%d children ended\n%d gave back what they freed\n", ended, good);
  return 0;
}
