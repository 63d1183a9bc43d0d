// Objects that are watched are as others are: of their alignment and size, zero
// if they are to be, moved and freed by any thread, and a child's own after a
// fork.
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -fno-builtin %s -o program -pthread
// RUN: for options in sample=1 sample=3 sample=1:continuous=1; do env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:page_touches=1:$options ./program || exit 1; done 2>&1 | %FileCheck %s --allow-empty
// RUN: (ulimit -l 100000000 2> nothing; env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw:page_touches=1 ./program locked) 2>&1 | %FileCheck %s --allow-empty
// How many allocate beside the fork, depends on the machine.
// So does what a fork beside threads ends.
// CHECK-NOT: Thermocline: {{([^0-9t]|[0-9].*[^k]$|t([^h]|he [^p]|he profile))}}
// RUN: for f in raw.*; do %thermo-profdata show $f > said || exit 1; done
//
// Programs as they are installed: same output, same status.
// RUN: env LIVE=page_touches=1:sample=10 %S/../Libraries/Inputs/check_preload.sh %preload %thermo-profdata > said && %FileCheck %s --input-file=said --check-prefix=INSTALLED
// INSTALLED: ls: same output, status 0, profiles read
// INSTALLED: failing ls: same output, status 2, profiles read
// INSTALLED: sort with threads: same output, status 0, profiles read
// INSTALLED: shell with pipes and subshells: same output, status 3, profiles read
// INSTALLED: python with threads, fork and exec: same output, status 0, profiles read
// INSTALLED: killed while continuous: same output, status 137, profiles read

#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { Number = 500, Rounds = 20, Threads = 4 };

static void check(int Is, const char *What) {
  if (Is)
    return;
  fprintf(stderr, "wrong: %s\n", What);
  _exit(1);
}

static int holds(const unsigned char *P, size_t Size, int Byte) {
  for (size_t I = 0; I != Size; ++I)
    if (P[I] != Byte)
      return 0;
  return 1;
}

static size_t sizeOf(int I) { return 1 + I * 13 % 3000; }

static void checkFunctions(void) {
  unsigned char *All[Number];
  for (int I = 0; I != Number; ++I) {
    const size_t Size = sizeOf(I);
    const size_t Alignment = (size_t)8 << I % 7;
    switch (I % 3) {
    case 0:
      All[I] = malloc(Size);
      break;
    case 1:
      All[I] = calloc(1, Size);
      check(holds(All[I], Size, 0), "calloc");
      break;
    case 2:
      All[I] = NULL;
      check(posix_memalign((void **)&All[I], Alignment, Size) == 0 &&
                (uintptr_t)All[I] % Alignment == 0,
            "posix_memalign");
      break;
    }
    check(malloc_usable_size(All[I]) >= Size, "malloc_usable_size");
    memset(All[I], I + 1, Size);
  }
  for (int I = 0; I != Number; ++I)
    check(holds(All[I], sizeOf(I), (unsigned char)(I + 1)), "contents");
  for (int I = 0; I != Number; ++I) {
    const size_t Old = sizeOf(I), New = I % 2 ? Old / 2 + 1 : Old * 2;
    All[I] = realloc(All[I], New);
    check(holds(All[I], Old < New ? Old : New, (unsigned char)(I + 1)),
          "realloc");
    memset(All[I], 0xff, New);
  }
  for (int I = 0; I != Number; ++I)
    free(All[I]);
}

static pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char *Passed[Number];

/// Frees what others have allocated.
static void *passOn(void *Argument) {
  for (int Round = 0; Round != Rounds; ++Round)
    for (int I = 0; I != Number; ++I) {
      unsigned char *Mine = malloc(64);
      memset(Mine, I, 64);
      pthread_mutex_lock(&Lock);
      unsigned char *Other = Passed[I];
      Passed[I] = Mine;
      pthread_mutex_unlock(&Lock);
      check(!Other || holds(Other, 64, (unsigned char)I), "of another thread");
      free(Other);
    }
  return Argument;
}

static int ended(pid_t Child) {
  int Status;
  return Child > 0 && waitpid(Child, &Status, 0) == Child && Status == 0;
}

static void checkForks(void) {
  char *Shared[100];
  for (int I = 0; I != 100; ++I)
    strcpy(Shared[I] = malloc(32), "parent's");
  for (int Fork = 0; Fork != 10; ++Fork) {
    pid_t Child = fork();
    if (Child == 0) {
      for (int I = 0; I != 100; ++I) {
        check(strcmp(Shared[I], "parent's") == 0, "what a child inherits");
        strcpy(Shared[I], "child's");
      }
      for (int I = 0; I != 50; ++I)
        free(Shared[I]);
      checkFunctions();
      pid_t Grandchild = fork();
      if (Grandchild == 0) {
        for (int I = 50; I != 100; ++I)
          check(strcmp(Shared[I], "child's") == 0, "what its child inherits");
        _exit(0);
      }
      check(ended(Grandchild), "a grandchild");
      exit(0);
    }
    check(ended(Child), "a child");
    for (int I = 0; I != 100; ++I)
      check(strcmp(Shared[I], "parent's") == 0, "what a parent keeps");
  }
  // It shares the memory, and must find it.
  char *Arguments[] = {strcpy(malloc(16), "/bin/true"), NULL};
  pid_t Child;
  check(posix_spawn(&Child, Arguments[0], NULL, NULL, Arguments, NULL) == 0 &&
            ended(Child),
        "posix_spawn");
  for (int I = 0; I != 100; ++I)
    free(Shared[I]);
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  if (Count > 1)
    check(mlockall(MCL_CURRENT | MCL_FUTURE) == 0, "mlockall");
  for (int Round = 0; Round != Rounds; ++Round)
    checkFunctions();
  checkForks();
  pthread_t All[Threads];
  for (int I = 0; I != Threads; ++I)
    check(pthread_create(&All[I], NULL, passOn, NULL) == 0, "pthread_create");
  checkForks();
  for (int I = 0; I != Threads; ++I)
    pthread_join(All[I], NULL);
  return 0;
}
