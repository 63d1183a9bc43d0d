// Killed at any time, a program leaves a profile that both tools read, or none:
// here at random moments, and before and after each system call of the
// thread that writes. (While a file that grew too small is replaced, the new one
// has a hidden name for a moment.) scripts/faults.sh does it a thousand times.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o %t/program
// RUN: %clang -O1 %S/Inputs/kill_at_call.c -o %t/kill-at-call
// RUN: %S/Inputs/check_kills.py %t %thermo-profdata %llvm-profdata 20 | %FileCheck %s
// CHECK: 20 kills at random moments: {{[0-9]+}} profiles, all read by both tools, 0 unreadable, {{[0-9]+}} hidden
// CHECK: 20 kills at system calls: {{[0-9]+}} profiles, all read by both tools, 0 unreadable, {{[0-9]+}} hidden

#include <stdlib.h>

/// A context for each of \p Bits bits of \p Path.
static char *many(unsigned Path, unsigned Bits);
#define STEP(Name)                                                             \
  __attribute__((noinline)) static char *Name(unsigned Path, unsigned Bits) {  \
    char *Result = many(Path >> 1, Bits - 1);                                  \
    __asm__ volatile("# " #Name : "+r"(Result));                               \
    return Result;                                                             \
  }
STEP(even)
STEP(odd)
__attribute__((noinline)) static char *many(unsigned Path, unsigned Bits) {
  if (Bits == 0)
    return malloc(10);
  return Path & 1 ? odd(Path, Bits) : even(Path, Bits);
}

int main(void) {
  // New contexts all the time, so that the file grows out of its size again and
  // again, but ever more slowly.
  static char *Kept[1 << 12];
  for (unsigned Round = 0;; ++Round) {
    unsigned Path = rand() % (Round / 30 + 2) % (1 << 12);
    free(Kept[Path]);
    Kept[Path] = many(Path, 12);
  }
}
