// While a thread is in a callback of dl_iterate_phdr(), which has a lock of the
// loader's: children of a fork end, abort, run another program, or are asked
// for a profile, and this program is, by a signal and by its end. Each has a
// profile that names its code. In the children the environment is no list,
// either.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program -pthread
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -static %s -o static -pthread
// RUN: for p in program static; do \
// RUN:   mkdir $p.d && env TMPDIR=$p.d MEMPROF_OPTIONS=test_clock=1:log_path=%%t/raw:dump_signal=USR1 timeout -s KILL 60 ./$p $p.d || exit 1; \
// RUN:   for raw in $p.d/raw.*; do %thermo-profdata merge --binary=$p -o prof $raw > said || exit 1; %thermo-profdata show --all --binary=$p prof | grep -o '^ *allocate[A-Za-z]*' | sort -u | tr '\n' ' '; done; echo; \
// RUN: done | %FileCheck %s
// One of each of five children, and of the parent.
// CHECK: {{^}} allocateHere  allocateHere  allocateHere  allocateHere  allocateHere  allocateHere {{$}}
// CHECK-NEXT: {{^}} allocateHere  allocateHere  allocateHere  allocateHere  allocateHere  allocateHere {{$}}

#define _GNU_SOURCE
#include "../Inputs/pass_time.h"
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <sanitizer/memprof_interface.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int IsLocked;

__attribute__((noinline)) static char *allocateHere(void) {
  char *Result = malloc(100);
  __asm__ volatile("" : "+r"(Result));
  return Result;
}

static int lock(struct dl_phdr_info *Info, size_t Size, void *Unused) {
  (void)Info;
  (void)Size;
  (void)Unused;
  IsLocked = 1;
  for (;;)
    pause();
}
static void *holdLock(void *Unused) {
  dl_iterate_phdr(lock, NULL);
  return Unused;
}

enum End { Exit, Abort, Kill, Exec, Dump, NumEnds };

static _Noreturn void endChild(enum End How) {
  char *Arguments[] = {"/bin/true", NULL}, *Environment[] = {NULL};
  free(allocateHere());
  switch (How) {
  case Abort:
    abort();
  case Kill:
    raise(SIGTERM);
    break;
  case Exec:
    execve(Arguments[0], Arguments, Environment);
    break;
  case Dump:
    if (__memprof_profile_dump() == 0)
      raise(SIGKILL);
    break;
  default:
    break;
  }
  _exit(0);
}

int main(int Count, char **Arguments) {
  static const int Expected[] = {0, SIGABRT, SIGTERM, 0, SIGKILL};
  char Path[1000];
  pthread_t Thread;
  free(allocateHere());
  pthread_create(&Thread, NULL, holdLock, NULL);
  while (!IsLocked)
    sched_yield();
  char **Environment = environ;
  for (int How = 0; How < NumEnds; ++How) {
    environ = (char **)8;
    pid_t Child = fork();
    if (Child == 0)
      endChild((enum End)How);
    environ = Environment;
    int Status;
    waitpid(Child, &Status, 0);
    if (Status != Expected[How])
      return How + 1;
  }
  raise(SIGUSR1);
  if (Count < 2)
    return 10;
  snprintf(Path, sizeof(Path), "%s/raw.%d", Arguments[1], (int)getpid());
  passMilliseconds(0);
  return access(Path, R_OK) == 0 ? 0 : 11;
}
