// Compiled for histograms, a program counts the accesses to each 8 bytes, up to
// 255: counter by counter as clang's -fmemory-profile -mllvm -memprof-histogram
// does, over our runtime; and where no memory is used again, which LLVM's runtime
// does not clear wholly, over LLVM's. Allocations of many sizes in one context,
// sizes that are no multiple of 8, realloc, nodes of containers, full counters.
// RUN: env HISTOGRAMS=all %S/../Counts/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O2 -DFRESH
// RUN: env HISTOGRAMS=instrumentation %S/../Counts/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O0
// RUN: env HISTOGRAMS=instrumentation %S/../Counts/Inputs/compare_with_stock.sh %clangxx %llvm-profdata %generate-cfg %t %s -O2
// RUN: %llvm-profdata show --memory --profiled-binary=%t/ours %t/c.raw.* | %FileCheck %s
// RUN: %thermo-profdata show --all --binary=%t/ours %t/c.raw.* | %FileCheck %s --check-prefix=SHOW
// RUN: %thermo-profdata export --binary=%t/ours -o %t/c.json %t/c.raw.*
// RUN: python3 -c "import json,sys; print(*('%%s: %%d, %%s' %% (c['calls'][0]['functions'][0], len(c['histogram']), c['histogram']) for c in json.load(open(sys.argv[1]))['contexts'] if 'functions' in c['calls'][0]), sep='\n')" %t/c.json | %FileCheck %s --check-prefix=JSON
// RUN: %thermo-profdata export --format=csv --binary=%t/ours %t/c.raw.* | %FileCheck %s --check-prefix=CSV
// RUN: env MEMPROF_OPTIONS=print_text=1:log_path=stdout %t/ours | %FileCheck %s --check-prefix=TEXT

// A counter is full in each allocation, the sum of them is not; the longest gives
// the length.
// CHECK-DAG: AccessHistogramValues: 255 255 2 0{{$}}
// CHECK-DAG: AccessHistogramValues: 7650 0 0 0 0 0 0 0 0 30{{$}}
// CHECK-DAG: AccessHistogramValues: 5000 5000 5000 0{{$}}
// CHECK-DAG: AccessHistogramValues: 524 460 396 332 268 204 140 76 15{{$}}

// SHOW-DAG: accesses to each 8 bytes: 255 255 2 0{{$}}
// SHOW-DAG: accesses to each 8 bytes: 5000 5000 5000 0{{$}}
// SHOW-DAG: accesses to each 8 bytes: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 ... (500 counters){{$}}

// JSON-DAG: wide: 500, {{\[(1, )+1\]$}}
// JSON-DAG: often: 4, [5000, 5000, 5000, 0]

// CSV: callStack,AllocCount,{{.*}},MaxLifetimeAccessDensity,histogram,calls
// CSV-DAG: ,5000 5000 5000 0,often; main;
// CSV-DAG: ,255 255 2 0,full; main;

// TEXT-DAG: AccessCountHistogram[4]: 255 255 2 0
// TEXT-DAG: AccessCountHistogram[500]: 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 {{$}}

#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>

#ifdef FRESH
static void *volatile Kept;
#define free(Address) Kept = (Address)
#endif

#define CONTEXT extern "C" __attribute__((noinline))

CONTEXT void full() {
  auto *P = static_cast<volatile long *>(malloc(32));
  for (int I = 0; I < 1000; ++I)
    P[0] = I;
  for (int I = 0; I < 254; ++I)
    P[1] = I;
  P[2] = P[2] + P[1];
  free(const_cast<long *>(P));
}

CONTEXT volatile char *several(size_t Size) {
  return static_cast<volatile char *>(malloc(Size));
}

CONTEXT void fullInEach() {
  for (int Life = 0; Life < 60; ++Life) {
    volatile char *P = several(Life % 2 ? 80 : 33);
    // Every other one lives on.
    if (Life % 2) {
      P[72] = 1;
      continue;
    }
    for (int I = 0; I < 300; ++I)
      P[I % 8] = 1;
    free(const_cast<char *>(P));
  }
}

// The sum of each counter needs more than 12 bits.
CONTEXT void often() {
  for (int Life = 0; Life < 1000; ++Life) {
    auto *P = static_cast<volatile long *>(malloc(31));
    for (int I = 0; I < 15; ++I)
      P[I % 3] = I;
    free(const_cast<long *>(P));
  }
}

// Ends within a counter, or has one only.
CONTEXT void odd() {
  for (size_t Size = 1; Size < 70; ++Size) {
    auto *P = static_cast<volatile char *>(malloc(Size));
    for (size_t I = 0; I < Size; ++I)
      P[I] = 1;
    free(const_cast<char *>(P));
  }
}

CONTEXT void *grown(void *P, size_t Size) { return realloc(P, Size); }

CONTEXT void grows() {
  volatile char *P = nullptr;
  for (size_t Size = 8; Size < 3000; Size = Size * 3 / 2 + 1) {
    P = static_cast<volatile char *>(grown(const_cast<char *>(P), Size));
    P[Size - 1] = 1;
    P[0] = P[Size / 2];
  }
#ifndef FRESH
  P = static_cast<volatile char *>(grown(const_cast<char *>(P), 10));
  P[9] = 1;
#endif
  free(const_cast<char *>(P));
}

CONTEXT void wide() {
  auto *P = new volatile long[500];
  for (int I = 0; I < 500; ++I)
    P[I] = I;
  auto *Aligned = static_cast<volatile int *>(aligned_alloc(256, 512));
  Aligned[77] = 2;
  free(const_cast<int *>(Aligned));
}

CONTEXT long containers() {
  std::map<long, long> Map;
  std::list<int> List;
  for (long I = 0; I < 300; ++I) {
    Map[I * 37 % 101] += I;
    List.push_back(static_cast<int>(I));
  }
  long Sum = 0;
  for (auto &[Key, Value] : Map)
    Sum += Key * Value;
  for (int I : List)
    Sum += I;
  return Sum;
}

int main() {
  full();
  fullInEach();
  often();
  odd();
  grows();
  wide();
  printf("%ld\n", containers());
}
