// A program with megabytes of thread-local variables, which lie on each
// thread's stack: the runtime's own thread has room for them, in children as
// well.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin -static %s -o static
// RUN: for p in program static; do env MEMPROF_OPTIONS=log_path=$p.raw:continuous=1:sync_interval_ms=5 timeout -s KILL 60 ./$p 2>&1 || echo "status $?"; done | %FileCheck %s --allow-empty
// RUN: ls *.raw.* | %FileCheck %s --check-prefix=FILES
// CHECK-NOT: {{.}}
// FILES-COUNT-4: raw
// FILES-NOT: raw

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static __thread volatile char Large[3 << 20];

// Until its continuous profile is there.
static void waitForProfile(const char *Program) {
  char Path[1000];
  snprintf(Path, sizeof(Path), "%s.raw.%d", Program, (int)getpid());
  while (access(Path, R_OK) != 0)
    sched_yield();
}

int main(int Count, char **Arguments) {
  int Status = Count;
  Large[5] = 1;
  free(malloc(10));
  waitForProfile(Arguments[0]);
  if (fork() == 0) {
    free(malloc(20));
    waitForProfile(Arguments[0]);
    raise(SIGKILL);
  }
  wait(&Status);
  return WIFSIGNALED(Status) ? 0 : 2;
}
