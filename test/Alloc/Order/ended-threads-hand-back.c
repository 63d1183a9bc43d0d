/* Threads that end hand back what they have: chunks, and what they have freed.
   So does whoever frees their objects later. Functions that run at the end of a
   thread may make and free objects as well.

   RUN: %clang -O1 -fno-builtin -pthread %s %liballoc -fuse-ld=lld -lm -o %t
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t 2>&1 | %FileCheck %s
   RUN: %clang -O1 -fno-builtin -pthread -static %s %liballoc -fuse-ld=lld -lm -o %t.static
   RUN: env THERMOCLINE_ALLOC_ORDER=1 THERMOCLINE_ALLOC_STATS=1 %t.static 2>&1 | %FileCheck %s
   A hundred threads have 100 KiB each, and no more than ten at once.
   CHECK: heap=order live_bytes={{[0-9]?[0-9]?[0-9]?[0-9]}} mapped_bytes={{[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9]}} reserved_bytes=4194304
*/

#include <pthread.h>
#include <stdlib.h>

enum { WAVES = 10, AT_ONCE = 10, OBJECTS = 1000, BYTES = 100 };

static pthread_key_t key;

static void at_end(void *object) {
  free(malloc(30));
  free(object);
}

static void *work(void *unused) {
  (void)unused;
  pthread_setspecific(key, malloc(20));
  void **objects = malloc(OBJECTS * sizeof(void *));
  for (int i = 0; i != OBJECTS; ++i) {
    objects[i] = malloc(BYTES);
    if (i % 2 == 0) {
      free(objects[i]);
      objects[i] = NULL;
    }
  }
  return objects;
}

int main(void) {
  pthread_key_create(&key, at_end);
  for (int wave = 0; wave != WAVES; ++wave) {
    pthread_t threads[AT_ONCE];
    for (int i = 0; i != AT_ONCE; ++i)
      if (pthread_create(&threads[i], NULL, work, NULL) != 0)
        abort();
    for (int i = 0; i != AT_ONCE; ++i) {
      void *objects;
      if (pthread_join(threads[i], &objects) != 0)
        abort();
      for (int j = 0; j != OBJECTS; ++j)
        free(((void **)objects)[j]);
      free(objects);
    }
  }
  return 0;
}
