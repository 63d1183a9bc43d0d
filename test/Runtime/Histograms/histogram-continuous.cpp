// Histograms of what lives and of what was freed, in a file that is written
// continuously while they grow, in the child of a fork, and after a reset.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fuse-ld=lld %s -o program
// RUN: env MEMPROF_OPTIONS=test_clock=1:continuous=1:sync_interval_ms=1:log_path=raw ./program
// RUN: %thermo-profdata show --all --binary=program raw.continuous | %FileCheck %s --check-prefix=BEFORE
// RUN: %llvm-profdata show --memory --profiled-binary=program raw.continuous | %FileCheck %s --check-prefix=STOCK
// RUN: %thermo-profdata show --all --binary=program raw.child | %FileCheck %s --check-prefix=CHILD
// RUN: %thermo-profdata show --all --binary=program raw.after | %FileCheck %s --check-prefix=AFTER

// BEFORE-DAG: accesses to each 8 bytes: 0 0 0 1{{$}}
// BEFORE-DAG: accesses to each 8 bytes: 3{{$}}
// BEFORE-DAG: accesses to each 8 bytes: 8{{( 0)+}} ... (12,500 counters){{$}}
// STOCK-DAG: AccessHistogramValues: 0 0 0 1{{$}}
// What the parent has freed is in the parent's profile.
// CHILD: accesses to each 8 bytes: 0 0 0 2{{$}}
// CHILD-NOT: accesses to each 8 bytes: {{[1-9]}}
// AFTER-NOT: accesses to each 8 bytes: {{[1-9]}}
// AFTER: accesses to each 8 bytes: 0 0 0 1{{$}}

#include "../Inputs/pass_time.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

extern "C" int __memprof_profile_dump();
extern "C" void __memprof_profile_reset();

extern "C" __attribute__((noinline)) volatile char *make(size_t Size) {
  return static_cast<volatile char *>(malloc(Size));
}
extern "C" __attribute__((noinline)) volatile char *grow(size_t Size) {
  return static_cast<volatile char *>(malloc(Size));
}

/// Renames the file that is there now.
static void keep(const char *Name, pid_t Process) {
  std::string Raw = "raw." + std::to_string(Process);
  if (rename(Raw.c_str(), Name) != 0)
    perror(Raw.c_str()), exit(1);
}

int main() {
  volatile char *Lives = make(30);
  Lives[29] = 1;
  for (int I = 0; I < 3; ++I) {
    volatile char *P = make(8);
    P[0] = 1;
    free(const_cast<char *>(P));
  }
  // One context, ever longer, so that the file has to be replaced.
  for (size_t Size = 10; Size <= 100 * 1000 * 1000; Size *= 10) {
    volatile char *P = grow(Size < 1000 * 1000 ? Size : 100 * 1000);
    P[0] = 1;
    free(const_cast<char *>(P));
    passMilliseconds(20);
  }
  passMilliseconds(200);
  keep("raw.continuous", getpid());
  if (pid_t Child = fork()) {
    int Status;
    waitpid(Child, &Status, 0);
    keep("raw.child", Child);
  } else {
    Lives[28] = 1;
    exit(0);
  }
  __memprof_profile_reset();
  __memprof_profile_dump();
  keep("raw.after", getpid());
  _Exit(0);
}
