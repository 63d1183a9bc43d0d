// Where the true number of accesses is known: allocations of 32 and 64 bytes
// side by side, one of them hot, and memory that is used again after a hot life.
// Each context has its own accesses and nobody else's. Asked to, the runtime
// counts as LLVM's does, which takes the neighbour's and the former life's in.
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o %t
// RUN: rm -f %t.raw.* %t.like.*
// RUN: env MEMPROF_OPTIONS=log_path=%t.raw %t
// RUN: env MEMPROF_OPTIONS=log_path=%t.like:count_like_llvm=1 %t
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t %t.raw.* %t %t.raw.* --require cold32=1000 --require hot32=1000000 --require cold64=100 --require hot64=10000 --require hotLife=70000 --require coldLife=3 --require wide=12
// RUN: %not python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t %t.raw.* %t %t.like.* --require cold32=1000 --require coldLife=3 | %FileCheck %s
// CHECK-DAG: cold32: {{[0-9]+}} accesses, not 1000
// CHECK-DAG: coldLife: {{[0-9]+}} accesses, not 3

#include <cstdlib>

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) volatile char *Name(size_t Size) {      \
    return static_cast<volatile char *>(malloc(Size));                         \
  }
ALLOCATE(cold32)
ALLOCATE(hot32)
ALLOCATE(cold64)
ALLOCATE(hot64)
ALLOCATE(hotLife)
ALLOCATE(coldLife)
ALLOCATE(wide)

static void release(volatile char *P) { free(const_cast<char *>(P)); }

static volatile char *Cold[1000], *Hot[1000];

int main() {
  for (int I = 0; I < 1000; ++I) {
    Cold[I] = cold32(32);
    Hot[I] = hot32(32);
  }
  for (int I = 0; I < 1000; ++I) {
    Cold[I][31] = 1;
    for (int J = 0; J < 1000; ++J)
      Hot[I][J % 32];
  }
  for (int I = 0; I < 1000; ++I) {
    release(Cold[I]);
    release(Hot[I]);
  }
  for (int I = 0; I < 100; ++I) {
    Cold[I] = cold64(64);
    Hot[I] = hot64(64);
  }
  for (int I = 0; I < 100; ++I) {
    Cold[I][63] = 1;
    for (int J = 0; J < 100; ++J)
      Hot[I][J % 64] = 2;
  }
  for (int I = 0; I < 100; ++I) {
    release(Cold[I]);
    release(Hot[I]);
  }
  volatile char *P = hotLife(40);
  for (int I = 0; I < 70000; ++I)
    P[I % 40] = 1;
  release(P);
  P = coldLife(40);
  P[0] = 1;
  P[1] = 1;
  P[39] = 1;
  release(P);
  // Every part of an allocation over several granules counts; 1 MiB apart,
  // where counters are cleared by the page.
  P = wide(10 << 20);
  for (int I = 0; I < 10; ++I)
    P[I << 20] = 1;
  P[(10 << 20) - 1] = 1;
  P[1] = 1;
  release(P);
}
