// Several threads fork children at a great rate while others allocate, with a
// continuous profile: each child gets a thread and a file of its own, none
// hangs, and what is left are readable profiles.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o program -pthread
// RUN: mkdir a && env MEMPROF_OPTIONS=log_path=a/raw:continuous=1:sync_interval_ms=1 timeout 60 ./program a | %FileCheck %s
// RUN: %thermo-profdata merge --quiet --binary=program -o a.prof a/raw.*
// RUN: mkdir s && env MEMPROF_OPTIONS=log_path=s/raw:continuous=1:sync_interval_ms=1:sample=5 timeout 60 ./program s | %FileCheck %s
// RUN: for raw in s/raw.*; do %thermo-profdata show $raw || exit 1; done | grep '^Sampled: ' > s.sampled
// RUN: ls -A a | sed "s/^raw[.][0-9]*$/profile/" | sort -u | %FileCheck %s --check-prefix=LEFT
// LEFT: {{^profile$}}
// LEFT-NOT: {{.}}
// CHECK: 200 children, 0 failed

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sched.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static std::atomic<bool> Stop;
static std::atomic<int> Children, Failed;

__attribute__((noinline)) static void allocate(int Times) {
  for (int I = 0; I < Times; ++I) {
    char *volatile P = static_cast<char *>(malloc(10 + I % 100));
    free(P);
  }
}

static const char *Directory;

static void waitForProfile() {
  char Path[100];
  snprintf(Path, sizeof(Path), "%s/raw.%d", Directory, getpid());
  while (access(Path, R_OK) != 0)
    sched_yield();
}

static void forkMany() {
  for (int I = 0; I < 50; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      allocate(1000);
      if (I % 4 == 0)
        std::thread([] { allocate(100); }).join();
      if (I % 4 == 1)
        waitForProfile();
      if (I % 4 == 2)
        kill(getpid(), SIGKILL);
      _exit(0);
    }
    int Status = -1;
    waitpid(Child, &Status, 0);
    ++Children;
    Failed += Status != (I % 4 == 2 ? SIGKILL : 0);
  }
}

int main(int, char **Arguments) {
  Directory = Arguments[1];
  std::thread Busy[2], Forking[4];
  for (std::thread &T : Busy)
    T = std::thread([] {
      while (!Stop)
        allocate(1000);
    });
  for (std::thread &T : Forking)
    T = std::thread(forkMany);
  for (std::thread &T : Forking)
    T.join();
  Stop = true;
  for (std::thread &T : Busy)
    T.join();
  printf("%d children, %d failed\n", Children.load(), Failed.load());
}
