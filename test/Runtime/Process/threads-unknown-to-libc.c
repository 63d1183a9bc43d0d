// libc knows none of the runtime's threads, whatever the options ask for. So it
// does nothing that it does only in programs with threads: a signal handler
// that interrupted its malloc may fork, which would wait for a lock of malloc's
// otherwise.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -D_GNU_SOURCE -O1 -fno-builtin %s -o plain
// RUN: %clang --config=%generate-cfg -D_GNU_SOURCE -O1 -fno-builtin %s -o shared
// RUN: %clang --config=%generate-cfg -D_GNU_SOURCE -O1 -fno-builtin -static %s -o static
// RUN: for options in continuous=1:sync_interval_ms=1 dump_signal=USR1 touch_windows=0:continuous=1 page_touches=1:continuous=1:dump_signal=USR1; do timeout -s KILL 100 env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=%t/raw:$options ./plain || exit 1; done | %FileCheck %s --check-prefix=PLAIN
// PLAIN-COUNT-4: one thread, 20 children
// RUN: for p in shared static; do for options in continuous=1:sync_interval_ms=1 dump_signal=USR1 sample=65536:continuous=1; do timeout -s KILL 100 env MEMPROF_OPTIONS=log_path=%t/raw:$options ./$p || exit 1; done; done | %FileCheck %s --check-prefix=PROFILED
// PROFILED-COUNT-6: one thread, 20 children

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/single_threaded.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t Children, Failed;

static void forkOnce(int Signal) {
  (void)Signal;
  const int Error = errno;
  int Status = 0;
  const pid_t Child = fork();
  if (Child == 0)
    _exit(7);
  while (waitpid(Child, &Status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 7)
    Failed = 1;
  ++Children;
  errno = Error;
}

int main(void) {
  struct sigaction Action = {.sa_handler = forkOnce, .sa_flags = SA_RESTART};
  const struct itimerval Once = {{0, 0}, {0, 50}};
  if (!__libc_single_threaded)
    return 1;
  sigaction(SIGALRM, &Action, NULL);
  while (Children < 20) {
    void *Blocks[50];
    const int Before = Children;
    setitimer(ITIMER_REAL, &Once, NULL);
    do {
      for (int I = 0; I != 50; ++I)
        Blocks[I] = malloc(2000);
      for (int I = 0; I != 50; ++I)
        free(Blocks[I]);
    } while (Children == Before);
  }
  if (!__libc_single_threaded || Failed)
    return 2;
  printf("one thread, 20 children\n");
  return 0;
}
