// A forked child goes on with its parent's heap and writes a file of its own:
// what it allocated itself, and what of its parent's it had or freed; what its
// parent had freed before is the parent's alone. Threads that allocate while
// others fork never leave a child with a lock that nobody holds.
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o %t -pthread
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MEMPROF_OPTIONS=log_path=%t.dir/raw %t > %t.pids
// RUN: python3 %S/Inputs/check_fork.py %llvm-profdata %t %t.pids %t.dir | %FileCheck %s
// CHECK: files: 21
// CHECK: parent: before 10 shared 1 inParent 5 inChild 0
// CHECK: children: before 0 shared 1 inParent 0 inChild 7

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) volatile char *Name() {                 \
    volatile char *P = static_cast<volatile char *>(malloc(100));              \
    P[0] = 1;                                                                  \
    return P;                                                                  \
  }
ALLOCATE(before)
ALLOCATE(shared)
ALLOCATE(inParent)
ALLOCATE(inChild)
ALLOCATE(inThread)

static void release(volatile char *P) { free(const_cast<char *>(P)); }

int main() {
  printf("parent %d\n", getpid());
  for (int I = 0; I < 10; ++I)
    release(before());
  volatile char *Shared = shared();
  std::atomic<bool> Stop = false;
  std::thread Threads[3];
  for (std::thread &T : Threads)
    T = std::thread([&] {
      while (!Stop)
        release(inThread());
    });
  for (int I = 0; I < 20; ++I) {
    fflush(stdout);
    pid_t Child = fork();
    if (Child == 0) {
      for (int J = 0; J < 7; ++J)
        release(inChild());
      if (I % 2)
        release(Shared);
      printf("child %d\n", getpid());
      fflush(stdout);
      if (I % 3 == 0)
        _exit(0);
      exit(0);
    }
    int Status;
    if (waitpid(Child, &Status, 0) != Child || Status != 0)
      return 1;
  }
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
  for (int I = 0; I < 5; ++I)
    inParent();
}
