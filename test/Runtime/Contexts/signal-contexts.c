// What a signal handler allocates has the context of what the signal
// interrupted: at any instruction, in functions with a frame and without, on
// the same stack and on another one, and however deep handlers interrupt each
// other.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o program
// RUN: %clang --config=%generate-cfg -O1 -DON_STACK=SA_ONSTACK %s -o other-stack
// RUN: %clang --config=%generate-cfg -O1 -static %s -o static
// RUN: %clang -O1 -fomit-frame-pointer -fno-builtin %s -o plain
// RUN: for p in program other-stack static; do env MEMPROF_OPTIONS=log_path=$p.raw ./$p && %thermo-profdata show --all --binary=$p $p.raw.* > $p.txt && %FileCheck %s < $p.txt || exit 1; done
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=plain.raw ./plain
// RUN: %thermo-profdata show --all --binary=plain plain.raw.* | %FileCheck %s
//
// By frame pointers alone it is missing.
// RUN: env MEMPROF_OPTIONS=log_path=alone:unwind_tables=0 ./program && %thermo-profdata show --all --binary=program alone.* > alone.txt
// RUN: %FileCheck %s --check-prefix=ALONE < alone.txt
// ALONE: {{^}} main (
// ALONE-NOT: faultAtOnce
// ALONE-NOT: faultLater
//
// The stock tool reads them, too.
// RUN: %llvm-profdata merge --profiled-binary=program program.raw.* -o prof
//
// What a handler returns to is kept as a call.
// CHECK: onAlarm{{.*[[:space:]].*}}
// CHECK-NEXT: spin
// CHECK-NEXT: causeAlarms
// CHECK-NEXT: {{^}} main (
// CHECK: 3.9 KiB
// CHECK: onInner
// CHECK: onOuter
// CHECK: causeNested
// CHECK-NEXT: {{^}} main (
// CHECK: 2.0 KiB
// CHECK: onFault{{.*[[:space:]].*}}
// CHECK-NEXT: faultLater
// CHECK-NEXT: causeSecond
// CHECK-NEXT: {{^}} main (
// CHECK: 1001 B
// CHECK: onFault{{.*[[:space:]].*}}
// CHECK-NEXT: faultAtOnce
// CHECK-NEXT: causeFirst
// CHECK-NEXT: {{^}} main (

#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

#define NOINLINE __attribute__((noinline))
#ifndef ON_STACK
#define ON_STACK 0
#endif

static volatile size_t Size;
static sigjmp_buf Back;

NOINLINE static void allocate(void) {
  void *P = malloc(Size);
  __asm__ volatile("" : "+r"(P));
  free(P);
}

static void onFault(int Signal) {
  allocate();
  siglongjmp(Back, Signal);
}
// On a slow machine an alarm comes before the loop that is to be interrupted.
static volatile int NumAlarms, IsSpinning;
static void onAlarm(int Signal) {
  if (!IsSpinning)
    return;
  Size = 8000;
  allocate();
  NumAlarms = NumAlarms + Signal / Signal;
}
static void onInner(int Signal) {
  allocate();
  Size = (size_t)Signal;
}
static void onOuter(int Signal) {
  raise(SIGUSR2);
  Size = (size_t)Signal;
}

// The first instruction of one, a later one of the other.
NOINLINE static int faultAtOnce(volatile int *P) { return *P; }
NOINLINE static int faultLater(volatile int *P, int N) {
  volatile int Numbers[100];
  Numbers[N] = N;
  return Numbers[N / 2] + *P;
}
NOINLINE static void causeFirst(void) {
  faultAtOnce(NULL);
  __asm__ volatile("");
}
NOINLINE static void causeSecond(void) {
  faultLater(NULL, 50);
  __asm__ volatile("");
}

// Calls nothing and keeps no memory of its own.
NOINLINE static unsigned spin(volatile int *Until) {
  unsigned X = 1;
  IsSpinning = 1;
  while (*Until < 3)
    X = X * 1664525 + 1013904223;
  IsSpinning = 0;
  return X;
}
NOINLINE static void causeAlarms(void) {
  struct itimerval Often = {{0, 1000}, {0, 1000}}, Never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &Often, NULL);
  spin(&NumAlarms);
  setitimer(ITIMER_REAL, &Never, NULL);
}
NOINLINE static void causeNested(void) {
  raise(SIGUSR1);
  __asm__ volatile("");
}

static void handle(int Signal, void (*Handler)(int)) {
  struct sigaction New = {0};
  New.sa_handler = Handler;
  New.sa_flags = ON_STACK;
  sigaction(Signal, &New, NULL);
}

int main(void) {
  stack_t Stack = {0};
  Stack.ss_size = 64 * 1024;
  Stack.ss_sp = malloc(Stack.ss_size);
  sigaltstack(&Stack, NULL);
  handle(SIGSEGV, onFault);
  handle(SIGALRM, onAlarm);
  handle(SIGUSR1, onOuter);
  handle(SIGUSR2, onInner);
  Size = 1001;
  if (!sigsetjmp(Back, 1))
    causeFirst();
  Size = 2002;
  if (!sigsetjmp(Back, 1))
    causeSecond();
  Size = 4004;
  causeNested();
  causeAlarms();
  return 0;
}
