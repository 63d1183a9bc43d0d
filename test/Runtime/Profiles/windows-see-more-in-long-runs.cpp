// Of 6,000 objects the first scans visit each second one. In a long run all of
// them join, though nothing was known of them before: then the numbers are exact,
// and what was idle all the time is not seen touched.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clangxx --config=%generate-cfg -O1 %s -o program
// RUN: env MEMPROF_OPTIONS=test_clock=1:log_path=raw ./program
// RUN: %thermo-profdata export --binary=program -o windows.json raw.*
// RUN: python3 %S/Inputs/check_joined_objects.py windows.json

#include "../Inputs/pass_time.h"
#include <cstdlib>
#include <vector>

// Odd numbers, so that an estimate cannot be right by chance.
constexpr size_t NumUsed = 3001, NumIdle = 2999;

__attribute__((noinline)) long *used() { return (long *)malloc(48); }
__attribute__((noinline)) long *idle() { return (long *)malloc(48); }

static volatile long Sink;

int main() {
  std::vector<long *> Used, Idle;
  Used.reserve(NumUsed);
  Idle.reserve(NumIdle);
  for (size_t I = 0; I != NumUsed; ++I) {
    Used.push_back(used());
    if (I < NumIdle)
      Idle.push_back(idle());
    *Used.back() = 1;
  }
  for (long *I : Idle)
    *I = 1;
  for (int Millisecond = 0; Millisecond != 2000; ++Millisecond) {
    long Sum = 0;
    for (long *U : Used)
      Sum += *U;
    Sink = Sum;
    passMilliseconds(1);
  }
  return 0;
}
