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

#include "../Inputs/many_contexts.h"

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
