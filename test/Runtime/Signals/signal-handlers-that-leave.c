// Signal handlers that come upon malloc or free and do not return, or fork:
// _exit(), exit(), quick_exit(), siglongjmp(), pthread_exit(). None waits for a
// lock that its own thread has, and each leaves its profile.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s -o program -pthread
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fno-builtin %s -o histogram -pthread
// RUN: %S/Inputs/run_modes.sh "0 1 2 3 4 5" ./program log_path=raw
// RUN: %S/Inputs/run_modes.sh "0 1 2 3 4 5" ./program log_path=raw:continuous=1:sync_interval_ms=1
// RUN: %S/Inputs/run_modes.sh "0 1 2 3 4" ./histogram log_path=raw
// RUN: for p in raw.*; do %thermo-profdata show $p > shown || exit 1; done
//
// What libc allocates, it would not survive all of these itself.
// RUN: %S/Inputs/run_modes.sh "0 1 2 3" ./program log_path=sampled:sample=3
// RUN: for p in sampled.*; do %thermo-profdata show $p > shown || exit 1; done
//
// The stock tool reads them, too.
// RUN: env MEMPROF_OPTIONS=log_path=exit ./program 1 1
// RUN: %llvm-profdata show --memory --profiled-binary=program exit.* | %FileCheck %s
// CHECK: Version: 5

#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static enum Mode { Exit_, Exit, QuickExit, Fork, Jump, ThreadExit } Mode;
static sigjmp_buf Back;
static volatile int Times;
static int Round;

static void callSoon(void) {
  struct itimerval Soon = {{0, 0}, {0, 700 + 53 * Round}};
  setitimer(ITIMER_REAL, &Soon, NULL);
}

static void onAlarm(int Signal) {
  int Status;
  (void)Signal;
  switch (Mode) {
  case Exit_:
    _exit(0);
  case Exit:
    exit(0);
  case QuickExit:
    quick_exit(0);
  case Fork:
    if (++Times == 5)
      _exit(0);
    if (fork() == 0)
      _exit(5);
    wait(&Status);
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 5)
      _exit(1);
    callSoon();
    break;
  case Jump:
    if (++Times == 5)
      exit(0);
    callSoon();
    siglongjmp(Back, 1);
  default:
    pthread_exit(NULL);
  }
}

static void *allocate(void *Argument) {
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &Alarm, NULL);
  for (size_t I = 0;; ++I) {
    // Where a thread ends in the midst of something, other threads must not
    // need what is common to all: contexts are known by then.
    if (I == 1000)
      callSoon();
    char *volatile P = Mode == ThreadExit ? malloc(40)
                       : I % 5 == 4       ? malloc(70000 + I % 3 * 100000)
                       : I % 2            ? malloc(40 + I % 1000)
                                          : calloc(401, 1);
    P[0] = 1;
    free(P);
  }
  return Argument;
}

int main(int Count, char **Arguments) {
  if (Count != 3)
    return 1;
  Mode = (enum Mode)atoi(Arguments[1]);
  Round = atoi(Arguments[2]);
  signal(SIGALRM, onAlarm);
  if (Mode != ThreadExit) {
    sigsetjmp(Back, 1);
    allocate(NULL);
  }
  pthread_t Thread;
  sigset_t Alarm;
  sigemptyset(&Alarm);
  sigaddset(&Alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &Alarm, NULL);
  pthread_create(&Thread, NULL, allocate, NULL);
  pthread_join(Thread, NULL);
  return 0;
}
