// Static, position-independent or not: a profile at the end, one that is
// continuous after a kill, one after the main thread has ended, and one on
// request.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for mode in -static -static-pie -no-pie -pie; do \
// RUN:   %clang --config=%generate-cfg -O1 -fno-builtin $mode %s -o program -pthread || exit 1; \
// RUN:   for end in return kill pthread_exit dump; do \
// RUN:     rm -f raw.*; env MEMPROF_OPTIONS=test_clock=1:continuous=1:sync_interval_ms=10:dump_signal=USR1:log_path=raw ./program $end; \
// RUN:     echo "$mode $end: status $?"; \
// RUN:     %thermo-profdata merge --binary=program -o prof raw.* > summary || exit 1; \
// RUN:     %thermo-profdata show --all --binary=program prof | grep -A1 "^#" | grep -B1 "^ *allocate" | grep -v ^--; \
// RUN:   done; \
// RUN: done | %FileCheck %s
// CHECK: -static return: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK-NEXT: allocateA
// CHECK-NEXT: -static kill: status 137
// CHECK-NEXT: in 1,000 allocations
// CHECK-NEXT: allocateA
// CHECK-NEXT: -static pthread_exit: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK-NEXT: allocateA
// CHECK: in 20 allocations
// CHECK-NEXT: allocateB
// CHECK-NEXT: -static dump: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK-NEXT: allocateA
// CHECK-NEXT: -static-pie return: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK: -static-pie kill: status 137
// CHECK-NEXT: in 1,000 allocations
// CHECK: -static-pie pthread_exit: status 0
// CHECK: in 20 allocations
// CHECK-NEXT: allocateB
// CHECK-NEXT: -static-pie dump: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK: -no-pie return: status 0
// CHECK-NEXT: in 1,000 allocations
// CHECK: -no-pie kill: status 137
// CHECK-NEXT: in 1,000 allocations
// CHECK: -no-pie pthread_exit: status 0
// CHECK: in 20 allocations
// CHECK-NEXT: allocateB
// CHECK: -pie pthread_exit: status 0
// CHECK: in 20 allocations
// CHECK-NEXT: allocateB
// CHECK-NEXT: -pie dump: status 0
// CHECK-NEXT: in 1,000 allocations

#include "../Inputs/pass_time.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static void *allocateA(void) { return malloc(100); }
__attribute__((noinline)) static void *allocateB(void) { return malloc(50); }

static pthread_t MainThread;

static void *run(void *Unused) {
  pthread_join(MainThread, NULL);
  for (int I = 0; I < 20; ++I)
    free(allocateB());
  return Unused;
}

int main(int argc, char **argv) {
  for (int I = 0; I < 1000; ++I)
    free(allocateA());
  if (strcmp(argv[1], "pthread_exit") == 0) {
    pthread_t T;
    MainThread = pthread_self();
    pthread_create(&T, NULL, run, NULL);
    pthread_exit(NULL);
  }
  if (strcmp(argv[1], "dump") == 0)
    raise(SIGUSR1);
  passMilliseconds(250);
  if (strcmp(argv[1], "kill") == 0)
    raise(SIGKILL);
  return 0;
}
