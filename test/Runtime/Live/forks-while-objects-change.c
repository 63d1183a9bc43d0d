// A child finds in watched objects what its parent has there at the moment of
// the fork: also what other threads have written while the fork was being
// prepared, and what handlers did that a library registered before the
// runtime's own. Such handlers find it in the child, too, and what they
// allocate.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -fno-builtin -DLIBRARY -fPIC -shared %s -o library.so -pthread
// RUN: %clang -O1 -fno-builtin -fno-optimize-sibling-calls -gmlt -fdebug-info-for-profiling -Wl,--build-id %s ./library.so -o program -pthread
// DEFINE: %{run} = rm -f raw.* && env LD_PRELOAD=%preload MEMPROF_OPTIONS=test_clock=1:page_touches=1:log_path=raw ./program > process
// DEFINE: %{show} = %thermo-profdata show --all --binary=program raw.$(cat process) > shown
//
// A program without other threads is watched on.
// RUN: %{run} alone 2> errors && %FileCheck %s --input-file=errors --allow-empty --check-prefix=QUIET
// QUIET-NOT: {{.}}
// RUN: %{show} && grep -x 'Windows:  *14, of 10.0 to 10.0 ms of processor time' shown
// RUN: grep -A6 'objects touched, in % of each window: 100.0 0.00 0.00 100.0 100.0 100.0' shown | grep makeOld
// Neither the file nor the memory must be larger than the program may have, nor
// must they be: then the child gets a copy, and finds what was there before.
// RUN: (ulimit -f 100000 && %{run} alone small)
// RUN: %{run} alone limited
//
// In a program with other threads nothing is known any more of what there was.
// It was idle before the fork and is busy behind it, so it must not be cold.
// RUN: %{run} threads 2> errors && %FileCheck %s --input-file=errors --check-prefix=SAID
// SAID:     {{^}}Thermocline: the program forked beside its other threads: what it allocated before that is not watched any more, and the profile says of the rest when it is touched{{$}}
// SAID-NOT: {{.}}
// RUN: %{show} && grep Windows: shown && grep -A6 'objects touched' shown > touched && %not grep makeOld touched
// RUN: grep -A6 'objects touched, in % of each window: 100.0 100.0 100.0 100.0' shown | grep makeNew
// RUN: %thermo-profdata merge --quiet --binary=program -o prof raw.$(cat process) && %thermo-profdata show prof | grep 'Cold contexts: *0 '
// So with threads that libc does not know.
// RUN: %{run} unknown 2> errors && %FileCheck %s --input-file=errors --check-prefix=SAID

void registerHandlers(void (*Prepare)(void), void (*InChild)(void));

#ifdef LIBRARY

#include <pthread.h>

static void (*Prepare)(void), (*InChild)(void);

static void prepare(void) {
  if (Prepare)
    Prepare();
}
static void inChild(void) {
  if (InChild)
    InChild();
}
__attribute__((constructor)) static void start(void) {
  pthread_atfork(prepare, 0, inChild);
}
void registerHandlers(void (*NewPrepare)(void), void (*NewInChild)(void)) {
  Prepare = NewPrepare;
  InChild = NewInChild;
}

#else

#define _GNU_SOURCE
#include "../Inputs/pass_time.h"
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Number = 500, Size = 64, Forks = 3 };
static char *Old[Number], *New[Number];
static char *Kept;
static int Round, HasThread;
static int Ask[2], Answer[2], Go[2];

__attribute__((noinline)) static char *makeOld(void) { return malloc(Size); }
__attribute__((noinline)) static char *makeNew(void) { return malloc(Size); }

static int isWhole(char **Objects, int Byte) {
  for (int I = 0; I != Number; ++I)
    if (Objects[I][0] != Byte || Objects[I][Size - 1] != Byte)
      return 0;
  return 1;
}

static void writeAll(int Byte) {
  for (int I = 0; I != Number; ++I)
    memset(Old[I], Byte, Size);
}

static int writeWhenAsked(void *Argument) {
  for (char Byte; read(Ask[0], &Byte, 1) == 1 && Byte;) {
    writeAll(Byte);
    if (write(Answer[1], &Byte, 1) != 1)
      abort();
  }
  (void)Argument;
  return 0;
}

static void *writeInThread(void *Argument) {
  writeWhenAsked(Argument);
  return Argument;
}

static void letWrite(char Byte) {
  if (write(Ask[1], &Byte, 1) != 1 || (Byte && read(Answer[0], &Byte, 1) != 1))
    abort();
}

static void prepare(void) {
  if (HasThread)
    letWrite((char)Round);
  else
    writeAll(Round);
  Kept = memset(malloc(Size), Round, Size);
}

static void inChild(void) {
  if (!isWhole(Old, Round) || Kept[Size - 1] != Round)
    _exit(2);
  free(Kept);
}

static int forks(int HasHandlers) {
  if (HasHandlers)
    registerHandlers(prepare, inChild);
  for (Round = 1; Round <= Forks; ++Round) {
    if (!HasHandlers)
      writeAll(Round);
    const pid_t Child = fork();
    if (Child == 0) {
      // It does not find what the parent has written since either.
      char Byte;
      _exit(read(Go[0], &Byte, 1) != 1 || !isWhole(Old, Round));
    }
    if (Child < 0 || !isWhole(Old, Round))
      return 0;
    writeAll(100);
    int Status;
    if (write(Go[1], "", 1) != 1 || waitpid(Child, &Status, 0) != Child ||
        Status != 0 || !isWhole(Old, 100))
      return 0;
  }
  return 1;
}

static int startThread(const char *What) {
  pthread_t Thread;
  if (strcmp(What, "threads") == 0)
    HasThread = pthread_create(&Thread, NULL, writeInThread, NULL) == 0;
  else if (strcmp(What, "unknown") == 0)
    HasThread = clone(writeWhenAsked, (char *)malloc(1 << 16) + (1 << 16),
                      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                          CLONE_THREAD | CLONE_SYSVSEM,
                      NULL) > 0;
  else
    return 1;
  return HasThread;
}

static int limitData(void) {
  const struct rlimit Most = {64 << 20, RLIM_INFINITY};
  return setrlimit(RLIMIT_DATA, &Most) == 0;
}

int main(int Count, char **Arguments) {
  if (pipe(Ask) || pipe(Answer) || pipe(Go) || !startThread(Arguments[1]))
    return 1;
  for (int I = 0; I != Number; ++I)
    Old[I] = memset(makeOld(), 50, Size);
  for (int Window = 0; Window != 3; ++Window)
    passMilliseconds(10);
  const int HasHandlers = Count == 2;
  if ((!HasHandlers && strcmp(Arguments[2], "limited") == 0 && !limitData()) ||
      !forks(HasHandlers))
    return 2;
  passMilliseconds(10);
  for (int I = 0; I != Number; ++I)
    New[I] = memset(makeNew(), 50, Size);
  for (int Window = 0; Window != 10; ++Window) {
    if (!isWhole(Old, 100) || !isWhole(New, 50))
      return 3;
    passMilliseconds(10);
  }
  if (HasThread)
    letWrite(0);
  printf("%d", (int)getpid());
  return 0;
}

#endif
