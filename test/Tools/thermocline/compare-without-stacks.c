// Pages of the stacks of threads are none of the heap, as those of the first one
// are not.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 %s -o before -pthread && cp before after
// RUN: %thermocline compare --pairs=3 --memory-pairs=3 ./before ./after > said && %FileCheck %s --input-file=said
// CHECK: pages touched {{ *[0-9.]+ KiB +[0-9.]+ KiB}}

#include <pthread.h>
#include <time.h>

enum { Bytes = 6 << 20, Page = 4096 };

static void *work(void *Argument) {
  volatile char Stack[Bytes];
  const clock_t End = clock() + CLOCKS_PER_SEC / 5;
  while (clock() < End)
    for (int I = 0; I < Bytes; I += Page)
      Stack[I] = 1;
  return Argument;
}

int main(void) {
  pthread_t Threads[2];
  for (int I = 0; I != 2; ++I)
    if (pthread_create(&Threads[I], 0, work, 0))
      return 1;
  for (int I = 0; I != 2; ++I)
    pthread_join(Threads[I], 0);
  return 0;
}
