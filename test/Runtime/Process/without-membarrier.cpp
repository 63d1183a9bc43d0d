// Where the kernel has no barrier for all threads, or denies it after the
// program entered a sandbox, profiles taken while threads allocate, in the
// program and in forked children, are as exact.
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin %s -o %t -pthread
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t never > %t.pid
// RUN: cat %t.text.$(cat %t.pid)* | python3 %S/../Inputs/count_sizes.py 4001 | %FileCheck %s --check-prefix=PARENT
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4002 4003 | %FileCheck %s
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t late > %t.pid
// RUN: cat %t.text.$(cat %t.pid)* | python3 %S/../Inputs/count_sizes.py 4001 | %FileCheck %s --check-prefix=PARENT
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4002 4003 | %FileCheck %s
// RUN: rm -f %t.text.*
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=%t.text %t early > %t.pid
// RUN: cat %t.text.$(cat %t.pid)* | python3 %S/../Inputs/count_sizes.py 4001 | %FileCheck %s --check-prefix=PARENT
// RUN: cat %t.text.* | python3 %S/../Inputs/count_sizes.py 4002 4003 | %FileCheck %s
// PARENT: 4001: 60000
// CHECK: 4002: 40
// CHECK-NEXT: 4003: 40

#include "../Inputs/filter_calls.h"
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <linux/membarrier.h>
#include <sanitizer/memprof_interface.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static bool hasMembarrier() {
  return syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) >= 0;
}

static bool denyMembarrier() {
  filterCall(SYS_membarrier, SECCOMP_RET_ERRNO | EPERM, 0);
  return !hasMembarrier();
}

int main(int, char **Arguments) {
  if (strcmp(Arguments[1], "early") == 0) {
    // The new program finds it denied from its first allocation on.
    if (!denyMembarrier())
      return 1;
    execl("/proc/self/exe", Arguments[0], "denied", nullptr);
    return 2;
  }
  if (strcmp(Arguments[1], "late") == 0 && !denyMembarrier())
    return 3;
  if (strcmp(Arguments[1], "never") == 0 && !hasMembarrier())
    return 4;

  printf("%d\n", static_cast<int>(getpid()));
  fflush(stdout);
  constexpr int NumThreads = 3, Allocations = 20000, Children = 40;
  std::atomic<int> Running = NumThreads;
  std::vector<std::thread> Threads;
  for (int I = 0; I != NumThreads; ++I)
    Threads.emplace_back([&] {
      for (int J = 0; J != Allocations; ++J)
        free(malloc(4001));
      --Running;
    });
  for (int Child = 0; Child != Children; ++Child) {
    if (__memprof_profile_dump() != 0)
      return 5;
    pid_t Id = fork();
    if (Id == 0) {
      free(malloc(4002));
      // Another thread than the one that the parent left here.
      std::thread([] { free(malloc(4003)); }).join();
      exit(0);
    }
    int Status;
    if (waitpid(Id, &Status, 0) != Id || Status != 0)
      return 6;
  }
  while (Running)
    __memprof_profile_dump();
  for (std::thread &T : Threads)
    T.join();
  return 0;
}
