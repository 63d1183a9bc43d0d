// Of very many objects each scan visits some, which stand for all: of two kinds
// that are allocated in turns, and of the pages of a large block. So scans of short
// runs are cheap, and windows end with bursts.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 %s -o program
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=raw ./program
// RUN: %thermo-profdata export --binary=program -o windows.json raw.*
// RUN: python3 %S/Inputs/check_many_objects.py windows.json

#include "../Inputs/pass_time.h"
#include <cstdlib>
#include <vector>

constexpr size_t Count = 200 * 1000, Period = 8;
constexpr size_t Pages = 32 * 1024, PagePeriod = 4;

__attribute__((noinline)) long *used() { return (long *)malloc(48); }
__attribute__((noinline)) long *idle() { return (long *)malloc(48); }
__attribute__((noinline)) char *large() { return (char *)malloc(Pages * 4096); }

// A loop over the pages would count all of its accesses in one of them.
__attribute__((noinline)) void write(char *P, size_t Page) {
  P[Page * 4096] = 1;
}

static volatile long Sink;

int main() {
  std::vector<long *> Used, Idle;
  for (size_t I = 0; I != Count; ++I) {
    Used.push_back(used());
    Idle.push_back(idle());
    *Used.back() = *Idle.back() = 1;
  }
  char *volatile Large = large();
  for (int Millisecond = 0; Millisecond != 700; ++Millisecond) {
    long Sum = 0;
    for (size_t I = 0; I < Count; I += Period)
      Sum += *Used[I];
    for (size_t I = 0; I < Pages; I += PagePeriod)
      write(Large + 2000, I);
    Sink = Sum;
    passMilliseconds(1);
  }
  return 0;
}
