// A byte of a raw profile that is damaged is noticed, in a profile that is
// written once and in one that is kept up to date, in which there is room.
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang --config=%generate-cfg -O1 %s -o program
// RUN: env MEMPROF_OPTIONS=log_path=once ./program && mv once.* once
// RUN: ! env MEMPROF_OPTIONS=test_clock=1:log_path=%t/kept:continuous=1:sync_interval_ms=1 ./program killed && mv kept.* kept
// RUN: python3 %S/Inputs/flip_bytes.py %thermo-profdata once kept | %FileCheck %s
// CHECK: once: header: 72 of 72 bytes noticed
// CHECK: dump 1, header…: damaged: its checksum is wrong
// CHECK: once: checksums: 72 of 144 bytes noticed
// CHECK: once: segment section: {{[1-9]}}
// CHECK: dump 1, segment section…: damaged: its checksum is wrong
// CHECK: once: MIB section: [[N:[0-9]+]] of [[N]] bytes noticed
// CHECK-NEXT: dump 1, MIB section…: damaged: its checksum is wrong
// CHECK-NEXT: once: call stack section: {{[1-9]}}
// CHECK: dump 1, call stack section…: damaged: its checksum is wrong
// CHECK: once: room: none
// CHECK: kept: header: 72 of 72 bytes noticed
// CHECK: kept: checksums: 72 of 144 bytes noticed
// CHECK: kept: MIB section: [[M:[0-9]+]] of [[M]] bytes noticed
// CHECK: dump 1, call stack section…: damaged: its checksum is wrong
// CHECK: kept: room: the same profile
//
// Both can be read by LLVM's tool, which skips the checksums.
// RUN: for file in once kept; do %llvm-profdata show --memory --profiled-binary=program $file || exit 1; done | %FileCheck %s --check-prefix=STOCK
// STOCK-COUNT-2: NumMibInfo: {{[1-9]}}

#include "../Inputs/pass_time.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) static char *make(size_t Size) {
  char *volatile P = malloc(Size);
  P[0] = 1;
  return P;
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  for (int I = 0; I < 100; ++I)
    make(I);
  if (Count == 1)
    return 0;
  // Killed after the file was made and brought up to date a few times.
  for (int Changes = 0; Changes < 4; ++Changes) {
    passMilliseconds(1);
    make(10);
  }
  kill(getpid(), SIGKILL);
}
