/* A forked child can use the cold heap while the parent's other thread does, and
   has counters of its own. The statistics go to a file whose name has the pid.

   RUN: rm -rf %t && mkdir %t
   RUN: %clang -O0 -I%srcroot/runtime/alloc/include %s %liballoc -fuse-ld=lld -o %t/a.out
   RUN: env THERMOCLINE_ALLOC_STATS=%t/stats.%%p.txt %t/a.out
   RUN: cat %t/stats.*.txt | sort -t= -k4 | %FileCheck %s
   RUN: ls %t | grep -c '^stats\.[0-9]*\.txt$' | %FileCheck %s --check-prefix=FILES
   CHECK: kind=calloc calls=5 bytes=500 cold_calls=5 cold_bytes=500
   FILES: 2
*/

#include "thermocline/hints.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void *churn(void *unused) {
  while (!stop)
    free(malloc_cold(100));
  return unused;
}

int main(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, churn, NULL) != 0)
    return 1;
  int status = 0;
  free(calloc_cold(7, 1));
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i != 5; ++i)
      free(calloc_cold(10, 10));
    exit(0);
  }
  if (child < 0 || waitpid(child, &status, 0) != child)
    return 1;
  stop = 1;
  pthread_join(thread, NULL);
  return status;
}
