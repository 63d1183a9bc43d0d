/* Threads that end, one after the other and many at once, have their hinted
   calls counted, also those of the functions that run at their end; others free
   what they made; and the next threads take their records over.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -fuse-ld=lld -o %t
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s
   So too where the program uses all keys of thread-specific data there are.
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t keys 2>&1 | %FileCheck %s
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t keys 2>&1 | %FileCheck %s
   And static.
   RUN: %clang -O1 -fno-builtin -pthread -static %s %liballoc -lm -fuse-ld=lld -o %t.static
   RUN: env THERMOCLINE_ALLOC_STATS=1 %t.static 2>&1 | %FileCheck %s
   CHECK: kind=malloc calls=77000 bytes=7700000 cold_calls=77000 cold_bytes=7700000
   CHECK: kind=total calls=77000
   CHECK: heap=cold live_bytes=0
*/

#include <pthread.h>
#include <stdlib.h>

void *malloc_cold(size_t size);

enum { WAVES = 10, ONE_BY_ONE = 50, AT_ONCE = 20, OBJECTS = 100, AT_END = 10 };

static pthread_key_t key;

static void *allocate(void) { return malloc_cold(100); }

/* Again and again, as long as libc goes on with it. */
static void at_end(void *rounds) {
  char *left = rounds;
  for (int i = 0; i != AT_END / 2; ++i)
    free(allocate());
  if (*left == 2) {
    *left = 1;
    pthread_setspecific(key, left);
  } else
    free(left);
}

static void *work(void *unused) {
  (void)unused;
  char *rounds = malloc(1);
  *rounds = 2;
  pthread_setspecific(key, rounds);
  void **objects = malloc(OBJECTS * sizeof(void *));
  for (int i = 0; i != OBJECTS; ++i)
    objects[i] = allocate();
  return objects;
}

static void join(pthread_t thread) {
  void *objects;
  if (pthread_join(thread, &objects) != 0)
    abort();
  for (int i = 0; i != OBJECTS; ++i)
    free(((void **)objects)[i]);
  free(objects);
}

static pthread_t start(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, work, NULL) != 0)
    abort();
  return thread;
}

int main(int count, char **arguments) {
  (void)arguments;
  pthread_key_create(&key, at_end);
  if (count > 1)
    for (pthread_key_t other; pthread_key_create(&other, NULL) == 0;)
      ;
  for (int wave = 0; wave != WAVES; ++wave) {
    pthread_t threads[AT_ONCE];
    for (int i = 0; i != ONE_BY_ONE; ++i)
      join(start());
    for (int i = 0; i != AT_ONCE; ++i)
      threads[i] = start();
    for (int i = 0; i != AT_ONCE; ++i)
      join(threads[i]);
  }
  return 0;
}
