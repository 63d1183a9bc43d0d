// Fork handlers that a library registered before the runtime did run while the
// forking thread has the runtime's locks: they may allocate all the same, small
// and large, in contexts that are new, and nothing is lost.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -DLIBRARY -fPIC -shared %s -o library.so -pthread
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s ./library.so -o program -pthread
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -static -DSTATIC %s -o static -pthread
// RUN: %clang -O1 -fno-builtin %s ./library.so -o plain -pthread
// RUN: env MEMPROF_OPTIONS=log_path=raw:print_text=1 timeout -s KILL 20 ./program
// RUN: cat raw.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 400001 | %FileCheck %s --check-prefixes=CHECK,LAST
// RUN: rm raw.* && env MEMPROF_OPTIONS=log_path=raw:print_text=1 timeout -s KILL 20 ./static
// RUN: cat raw.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 400001 | %FileCheck %s --check-prefixes=CHECK,FIRST
// RUN: rm raw.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:print_text=1 timeout -s KILL 20 ./plain
// RUN: cat raw.* | python3 %S/../Inputs/count_sizes.py 4001 4002 4003 400001 | %FileCheck %s --check-prefixes=CHECK,LAST
// RUN: rm raw.* && env MEMPROF_OPTIONS=log_path=raw:sample=3 timeout -s KILL 20 ./program && ls raw.* | wc -l | %FileCheck %s --check-prefix=FILES
// RUN: rm raw.* && env MEMPROF_OPTIONS=log_path=raw:continuous=1:sync_interval_ms=1 timeout -s KILL 20 ./program && ls raw.* | wc -l | %FileCheck %s --check-prefix=FILES
// FILES: {{^}}21{{$}}
//
// In the parent before and after each of 20 forks, and what children allocate
// later on. What such a handler frees in a child counts for neither; where the
// runtime was first, as in the static program, for the child.
// CHECK: 4001: 40
// CHECK-NEXT: 4002: 20
// CHECK-NEXT: 4003: 20
// LAST-NEXT: 400001: {{20|40}}
// FIRST-NEXT: 400001: 40

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Forks = 20 };

#if defined(LIBRARY) || defined(STATIC)

static char *Kept;

static void touch(size_t Size) {
  char *volatile P = malloc(Size);
  P[0] = 1;
  free(P);
}
// A context for each depth.
__attribute__((noinline)) static void recurse(int Depth) {
  touch((size_t)Depth);
  if (Depth > 1)
    recurse(Depth - 1);
  __asm__ volatile("");
}
static int Times;
static void prepare(void) {
  touch(4001);
  recurse(++Times * 5);
  Kept = malloc(400001);
}
static void inParent(void) {
  touch(4002);
  recurse(200 + Times);
  free(Kept);
}
static void inChild(void) {
  recurse(300 + Times);
  free(Kept);
  Kept = malloc(4003);
}
__attribute__((constructor(101))) static void start(void) {
  pthread_atfork(prepare, inParent, inChild);
}
void use(void) {}

#endif
#ifndef LIBRARY

void use(void);

static volatile int Stop;
static void *allocate(void *Unused) {
  while (!Stop)
    for (size_t I = 1; I < 1000; ++I)
      free(malloc(I));
  return Unused;
}

int main(void) {
  use();
  pthread_t Thread;
  pthread_create(&Thread, NULL, allocate, NULL);
  for (int I = 0; I < Forks; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      free(malloc(4001));
      _exit(7);
    }
    int Status = 0;
    waitpid(Child, &Status, 0);
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 7)
      return 1;
  }
  Stop = 1;
  pthread_join(Thread, NULL);
  return 0;
}

#endif
