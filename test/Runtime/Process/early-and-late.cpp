// Allocations before constructors, in destructors, exit handlers and after
// them, in threads that come and go, and in children forked while other threads
// allocate: all work in every kind of program, and are counted if they end
// before the profile is written.
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin %s -o %t -pthread
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MEMPROF_OPTIONS=log_path=%t.dir/raw:print_text=1 %t
// RUN: cat %t.dir/* | python3 %S/../Inputs/count_sizes.py 5001 5002 5003 5004 | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin -static %s -o %t -pthread
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MEMPROF_OPTIONS=log_path=%t.dir/raw:print_text=1 %t
// RUN: cat %t.dir/* | python3 %S/../Inputs/count_sizes.py 5001 5002 5003 5004 | %FileCheck %s
// RUN: %clangxx --config=%generate-cfg -O1 -fno-builtin -static-pie %s -o %t -pthread
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env MEMPROF_OPTIONS=log_path=%t.dir/raw:print_text=1 %t
// RUN: cat %t.dir/* | python3 %S/../Inputs/count_sizes.py 5001 5002 5003 5004 | %FileCheck %s
// One that ended early, and one that lives in the program and in each child.
// CHECK: 5001: 32
// CHECK-NEXT: 5002: 1
// CHECK-NEXT: 5003: 1
// CHECK-NEXT: 5004: 500

#include <atomic>
#include <cstdlib>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

static void *Early;
static void beforeConstructors(int, char **, char **) {
  Early = malloc(5001);
  free(malloc(5001));
}
__attribute__((section(".preinit_array"),
               used)) static void (*First)(int, char **,
                                           char **) = beforeConstructors;

struct Global {
  ~Global() {
    free(Early);
    free(malloc(5002));
  }
} TheGlobal;

static void afterExitHandlers() { free(malloc(100)); }
__attribute__((section(".fini_array"),
               used)) static void (*Last)() = afterExitHandlers;

int main() {
  atexit([] { free(malloc(5003)); });
  for (int I = 0; I < 500; ++I)
    std::thread([] { free(malloc(5004)); }).join();

  std::atomic<bool> Stop = false;
  std::vector<std::thread> Threads;
  for (int I = 0; I < 3; ++I)
    Threads.emplace_back([&] {
      while (!Stop) {
        void *Own = malloc(100), *Passed = malloc(300);
        free(Own);
        std::thread([Passed] { free(Passed); }).join();
      }
    });
  int Result = 0;
  for (int I = 0; I < 30; ++I) {
    pid_t Child = fork();
    if (Child == 0) {
      for (size_t Size = 0; Size < 1000; Size += 10)
        free(malloc(Size));
      _exit(7);
    }
    int Status;
    waitpid(Child, &Status, 0);
    if (!WIFEXITED(Status) || WEXITSTATUS(Status) != 7)
      Result = 1;
  }
  Stop = true;
  for (std::thread &T : Threads)
    T.join();
  return Result;
}
