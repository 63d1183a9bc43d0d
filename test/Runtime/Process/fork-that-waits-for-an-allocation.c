// fork() takes locks of libc's own, and those of fork handlers that a library
// registered before the runtime did, when the forking thread has the runtime's.
// Another thread that has one of these, and allocates, does not wait for ever:
// it takes memory from the allocator below, and what it frees is freed later.
// The runtime says how many allocations are missing for that.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang -O1 -DEARLY -fPIC -shared %s -o early.so
// RUN: %clang -O1 -DLIBRARY -fPIC -shared %s -Wl,--no-as-needed ./early.so -o library.so
// RUN: %clang -O1 -fno-builtin %s ./library.so -Wl,-rpath-link=. -o plain -pthread
// RUN: timeout -s KILL 30 ./plain
// RUN: %clang --config=%generate-cfg -O1 -fno-builtin %s ./library.so -Wl,-rpath-link=. -o program -pthread
// RUN: env MEMPROF_OPTIONS=log_path=raw:print_text=1 timeout -s KILL 30 ./program 2>&1 | %FileCheck %s
// RUN: cat raw.* | python3 %S/../Inputs/count_sizes.py 7001 7002 | %FileCheck %s --check-prefix=SIZES
// RUN: env MEMPROF_OPTIONS=log_path=s:sample=3 timeout -s KILL 30 ./program
// RUN: env MEMPROF_OPTIONS=log_path=c:continuous=1:sync_interval_ms=1 timeout -s KILL 30 ./program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=p timeout -s KILL 30 ./plain
// RUN: %clang --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fno-builtin %s ./library.so -Wl,-rpath-link=. -o histogram -pthread
// RUN: env MEMPROF_OPTIONS=log_path=h timeout -s KILL 30 ./histogram
//
// CHECK: Thermocline: {{[1-9][0-9]*}} allocations are not in the profile, as their threads could not wait for a fork
//
// What was freed beside a fork is recorded all the same.
// SIZES: 7001: 5
// SIZES: 7002: 5

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef LIBRARY

pthread_mutex_t Lock = PTHREAD_MUTEX_INITIALIZER;
volatile int IsWanted;

#elif defined(EARLY)

// What the library needs starts before all that the program needs itself.
extern pthread_mutex_t Lock;
extern volatile int IsWanted;
static void prepare(void) {
  IsWanted = 1;
  pthread_mutex_lock(&Lock);
}
static void after(void) { pthread_mutex_unlock(&Lock); }
// By libc's own function, as the runtime's would register its handlers first.
__attribute__((constructor)) static void begin(void) {
  int (*Register)(void (*)(void), void (*)(void), void (*)(void), void *) = 0;
  void *Libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
  *(void **)&Register = Libc ? dlsym(Libc, "__register_atfork") : 0;
  if (!Register || Register(prepare, after, after, 0))
    abort();
}

#else

enum { Forks = 5 };

extern pthread_mutex_t Lock;
extern volatile int IsWanted;
static volatile int Forked, IsLocked;

// A context for each depth.
__attribute__((noinline)) static void recurse(int Depth) {
  char *volatile P = malloc((size_t)Depth);
  P[0] = 1;
  char *volatile Q = realloc(P, (size_t)Depth * 3);
  if (!Q)
    abort();
  free(Q);
  if (Depth > 1)
    recurse(Depth - 1);
  __asm__ volatile("");
}

static void *holdTheLock(void *Unused) {
  for (int I = 0; I != Forks; ++I) {
    while (Forked != I)
      sched_yield();
    char *volatile Small = malloc(7001), *volatile Other = calloc(1, 7002);
    Small[0] = 1;
    pthread_mutex_lock(&Lock);
    IsLocked = 1;
    // The other thread forks, and waits in a handler.
    while (!IsWanted)
      sched_yield();
    IsWanted = 0;
    for (int J = 0; J != 7002; ++J)
      if (Other[J])
        abort();
    free(Small);
    free(Other);
    recurse(I % 4 + 1);
    char *volatile New = calloc(1, 5000);
    for (int J = 0; J != 5000; ++J)
      if (New[J])
        abort();
    free(New);
    pthread_mutex_unlock(&Lock);
    while (Forked == I)
      sched_yield();
  }
  return Unused;
}

int main(void) {
  pthread_t Holder;
  if (pthread_create(&Holder, 0, holdTheLock, 0))
    abort();
  for (int I = 0; I != Forks; ++I) {
    while (!IsLocked)
      sched_yield();
    IsLocked = 0;
    pid_t Child = fork();
    if (Child == 0) {
      recurse(10);
      _exit(0);
    }
    int Status = -1;
    waitpid(Child, &Status, 0);
    if (Status)
      abort();
    ++Forked;
  }
  pthread_join(Holder, 0);
}

#endif
