// One allocation of 20 is recorded and stands for 20: every total is within
// four standard errors of the true one, for contexts that allocate often and
// seldom, of even and of skewed sizes, in threads and deep in recursion, in
// code for sampling and in code that counts everything. What was never accessed
// is said to be so only if no allocation of the place was.
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx --config=%generate-sampling-cfg -O1 -fuse-ld=lld %s -o %t/sampling -pthread
// RUN: %clangxx --config=%generate-cfg -O1 -fuse-ld=lld %s -o %t/exact -pthread
// RUN: env MEMPROF_OPTIONS=log_path=%t/exact.raw %t/exact
// RUN: env MEMPROF_OPTIONS=log_path=%t/all.raw %t/sampling
// RUN: env MEMPROF_OPTIONS=log_path=%t/twenty.raw:sample=20 %t/sampling
// RUN: env MEMPROF_OPTIONS=log_path=%t/counted.raw:sample=20 %t/exact
// RUN: env MEMPROF_OPTIONS=log_path=%t/continuous.raw:sample=20:continuous=1:sync_interval_ms=1 %t/sampling
//
// All recorded, code for sampling says the same as any other.
// RUN: python3 %S/../Inputs/compare_profiles.py %llvm-profdata %t/exact %t/exact.raw.* %t/sampling %t/all.raw.*
//
// RUN: python3 %S/Inputs/check_sampling.py %llvm-profdata %thermo-profdata %t/exact %t/exact.raw.* %t/sampling %t/twenty.raw.*
// RUN: python3 %S/Inputs/check_sampling.py %llvm-profdata %thermo-profdata %t/exact %t/exact.raw.* %t/exact %t/counted.raw.*
// RUN: python3 %S/Inputs/check_sampling.py %llvm-profdata %thermo-profdata %t/exact %t/exact.raw.* %t/sampling %t/continuous.raw.*
//
// RUN: %thermo-profdata merge --binary=%t/sampling %t/twenty.raw.* -o %t/indexed 2>&1 | %FileCheck %s --check-prefix=MERGE
// MERGE: twenty.raw.{{[0-9]+}}: is sampled, 1 of 20 allocations
// RUN: %thermo-profdata export --binary=%t/sampling -o %t/json %t/twenty.raw.* && %FileCheck %s --check-prefix=JSON --input-file=%t/json
// JSON: "sampleInterval": 20,
// JSON: "sampling": {
// JSON-NEXT: "measured": {{[0-9]+}},
// JSON: "totalAccessCountError": {{[0-9]}}
// RUN: env MEMPROF_OPTIONS=log_path=stdout:print_text=1:sample=20 %t/sampling | %FileCheck %s --check-prefix=TEXT
// TEXT: measured {{[0-9]+}}, standard errors of totals: {{[0-9]+}} allocations, {{[0-9]+}} bytes, {{[0-9]+}} accesses
//
// RUN: %clangxx --config=%generate-cfg -Xclang -mllvm -Xclang -thermocline-generate-histogram -O1 -fuse-ld=lld %s -o %t/histogram -pthread
// RUN: env MEMPROF_OPTIONS=log_path=%t/histogram.raw:sample=20 %t/histogram 2>&1 | %FileCheck %s --check-prefix=HISTOGRAM
// HISTOGRAM: Thermocline: histograms cannot be sampled; all allocations are recorded
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:sample=0 %t/sampling 2>&1 | %FileCheck %s --check-prefix=NONE
// NONE: option 'sample' cannot be '0', ignored
// RUN: env MEMPROF_OPTIONS=dump_at_exit=0:sample=65536 %t/sampling 2>&1 | %FileCheck %s --check-prefix=MANY
// MANY: option 'sample' cannot be '65536', ignored

#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define ALLOCATE(Name)                                                         \
  extern "C" __attribute__((noinline)) volatile char *Name(size_t Size) {      \
    return static_cast<volatile char *>(malloc(Size));                         \
  }
ALLOCATE(even)
ALLOCATE(skewed)
ALLOCATE(seldom)
ALLOCATE(large)
ALLOCATE(inThread)
ALLOCATE(inRecursion)
ALLOCATE(never)
ALLOCATE(oftenNever)
ALLOCATE(almostNever)

extern "C" __attribute__((noinline)) volatile char *grown(volatile char *P,
                                                          size_t Size) {
  return static_cast<volatile char *>(realloc(const_cast<char *>(P), Size));
}
extern "C" __attribute__((noinline)) volatile char *cleared(size_t Size) {
  return static_cast<volatile char *>(calloc(Size, 1));
}
extern "C" __attribute__((noinline)) volatile char *aligned(size_t Size) {
  void *Result = nullptr;
  return posix_memalign(&Result, 256, Size) ? nullptr
                                            : static_cast<char *>(Result);
}

static void release(volatile char *P) { free(const_cast<char *>(P)); }

static unsigned random(unsigned &State) {
  return (State = State * 1664525 + 1013904223) >> 8;
}

static void use(volatile char *P, size_t Size, unsigned Times) {
  for (unsigned I = 0; I != Times; ++I)
    P[I % Size] = 1;
}

__attribute__((noinline)) static void recurse(unsigned Depth) {
  volatile char *P = inRecursion(40);
  use(P, 40, Depth % 7 + 1);
  if (Depth)
    recurse(Depth - 1);
  release(P);
}

static void work(unsigned State) {
  for (int I = 0; I < 20000; ++I) {
    size_t Size = 8 + random(State) % 100;
    volatile char *P = inThread(Size);
    use(P, Size, random(State) % 10);
    release(P);
  }
}

static volatile char *Live[1000];

int main() {
  unsigned State = 1;
  for (int I = 0; I < 50000; ++I) {
    volatile char *P = even(64);
    use(P, 64, 5);
    release(P);
    size_t Size = size_t(16) << random(State) % 9;
    P = skewed(Size);
    use(P, Size, random(State) % 50 ? 3 : 500);
    volatile char *&Place = Live[random(State) % 1000];
    release(Place);
    Place = P;
    if (I % 5000 == 0) {
      P = seldom(24);
      use(P, 24, 4);
      release(P);
    }
    if (I % 10 == 0) {
      P = cleared(200);
      use(P, 200, 7);
      P = grown(P, 10 + random(State) % 1000);
      use(P, 10, 2);
      P = grown(P, 2000);
      use(P, 10, 3);
      if (P[5] != 1)
        return 1;
      release(P);
      P = aligned(100);
      if (reinterpret_cast<size_t>(P) % 256)
        return 2;
      use(P, 100, 9);
      release(P);
    }
    if (I % 1000 == 0) {
      P = large(3 << 20);
      use(P, 3 << 20, 300);
      release(P);
    }
    release(oftenNever(48));
    if (I < 3000) {
      release(never(48));
      P = almostNever(48);
      if (I == 2345)
        P[0] = 1;
      release(P);
    }
  }
  for (int I = 0; I < 100; ++I)
    recurse(300);
  std::vector<std::thread> Threads;
  for (unsigned T = 0; T != 4; ++T)
    Threads.emplace_back(work, T);
  for (std::thread &T : Threads)
    T.join();
}
