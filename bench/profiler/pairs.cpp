//===- profiler/pairs.cpp - What a malloc and free costs ------------------===//
//
// Part of the Thermocline project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nanoseconds for a pair of malloc and free, by the number of calls above them,
// by size, with many allocations alive, and in two threads at once: the least
// of many short runs, as others may use the machine. Compile it plain, with
// -fmemory-profile and with --config=.../thermocline-generate.cfg, each with
//   -O2 -fno-builtin -fno-omit-frame-pointer -mno-omit-leaf-frame-pointer
//   -fno-optimize-sibling-calls -pthread
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

static constexpr int Pairs = 20000, Runs = 150;

template <typename Work> static double leastNanoseconds(Work W) {
  double Least = 1e9;
  for (int Run = 0; Run != Runs; ++Run) {
    auto Begin = std::chrono::steady_clock::now();
    W();
    std::chrono::duration<double, std::nano> Time =
        std::chrono::steady_clock::now() - Begin;
    Least = std::min(Least, Time.count() / Pairs);
  }
  return Least;
}

__attribute__((noinline)) static void allocate(size_t Size) {
  for (int I = 0; I != Pairs; ++I) {
    void *volatile P = malloc(Size);
    free(P);
  }
}

__attribute__((noinline)) static void below(int Calls, size_t Size) {
  if (Calls)
    below(Calls - 1, Size);
  else
    allocate(Size);
  // Not a tail call.
  __asm__ volatile("");
}

static void allocateMany() {
  static void *Live[1000];
  for (int Round = 0; Round != Pairs / 1000; ++Round) {
    for (void *&P : Live)
      P = malloc(40);
    for (void *P : Live)
      free(P);
  }
}

int main() {
  for (int Calls : {3, 10, 30, 250})
    printf("%3d calls above: %.1f ns\n", Calls,
           leastNanoseconds([=] { below(Calls - 3, 24); }));
  for (size_t Size : {200, 2000, 20000})
    printf("%zu bytes: %.1f ns\n", Size,
           leastNanoseconds([=] { below(0, Size); }));
  printf("1000 alive: %.1f ns\n", leastNanoseconds(allocateMany));
  printf("two threads: %.1f ns\n", leastNanoseconds([] {
           std::thread Other(below, 0, 24);
           below(0, 24);
           Other.join();
         }));
}
