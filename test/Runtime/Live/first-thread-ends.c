// The thread that looks at watched objects begins when the first thread of the
// program has ended: what /proc tells of the process is told by that thread,
// and is no more.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=%t/raw ./program 2>&1 | %FileCheck %s --allow-empty
// CHECK-NOT: {{.}}
// RUN: %thermo-profdata show --all --binary=program raw.* | grep -E 'objects touched, in % of each window:( 100\.0){9,10}$'

#include "../Inputs/pass_time.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Number = 500, Size = 64 };
static char *Busy[Number];

/// Whether the first thread is what a parent would have to wait for.
static int hasEnded(void) {
  char Text[1000] = "";
  FILE *File = fopen("/proc/self/stat", "r");
  if (File) {
    fgets(Text, sizeof(Text), File);
    fclose(File);
  }
  return strstr(Text, ") Z ") != NULL;
}

static void *work(void *Unused) {
  (void)Unused;
  while (!hasEnded()) {
  }
  for (int I = 0; I != Number; ++I)
    Busy[I] = memset(malloc(Size), 1, Size);
  for (int Window = 0; Window != 10; ++Window) {
    for (int I = 0; I != Number; ++I)
      ++*(volatile char *)Busy[I];
    passMilliseconds(10);
  }
  return NULL;
}

int main(void) {
  pthread_t Thread;
  if (pthread_create(&Thread, NULL, work, NULL) != 0)
    return 1;
  pthread_exit(NULL);
}
