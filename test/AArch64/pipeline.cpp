// A program takes all steps for AArch64: its profiled build runs under an
// emulator, has the contexts, allocations and accesses of the AMD64 build, and
// the optimized one gives the same answers and makes the cold list in the cold
// heap, and nothing else. The profile serves both architectures.
//
// (Totals decide what is cold here, as an emulator's time is no measure. A core
// file would be as large as the addresses that are reserved.)
// RUN: rm -rf %t && mkdir %t
// RUN: %clangxx --config=%aarch64/config/thermocline-generate.cfg -O0 %s -Wl,-rpath,%aarch64/lib -o %t/profiled
// RUN: %clangxx --config=%generate-cfg -O0 %s -o %t/host
// RUN: ulimit -c 0; env MEMPROF_OPTIONS=test_clock=1:touch_windows=0:log_path=%t/raw %emulate %t/profiled > %t/answers
// RUN: env MEMPROF_OPTIONS=test_clock=1:touch_windows=0:log_path=%t/raw-host %t/host > %t/answers-host
// RUN: %thermo-profdata merge --binary=%t/profiled %t/raw.* -o %t/profile 2>&1 | %FileCheck %s --check-prefix=MERGE
// RUN: %thermo-profdata merge --binary=%t/host %t/raw-host.* -o %t/profile-host
// RUN: cmp %t/answers %t/answers-host
// RUN: %contexts %llvm-profdata %t/profile > %t/contexts
// RUN: %contexts %llvm-profdata %t/profile-host > %t/contexts-host
// RUN: diff %t/contexts %t/contexts-host
// RUN: %FileCheck %s --check-prefix=CONTEXTS < %t/contexts
//
// MERGE: 3 contexts, {{.*}}; cold: 1 context
// CONTEXTS-COUNT-2: AllocCount: 4000
//
// The link says of which architecture the profile is, unless it is the link's.
// RUN: %clangxx --config=%aarch64/config/thermocline-use.cfg -fmemory-profile-use=%t/profile -O1 %s %aarch64/lib/libthermocline_alloc.a -Wl,--thinlto-memprof-summary -o %t/optimized 2>&1 | %FileCheck %s --check-prefix=OWN
// RUN: ulimit -c 0; env THERMOCLINE_ALLOC_STATS=1 %emulate %t/optimized > %t/answers-optimized 2> %t/heap
// RUN: cmp %t/answers %t/answers-optimized
// RUN: %FileCheck %s --check-prefix=HEAP < %t/heap
// RUN: %clangxx --config=%use-cfg -fmemory-profile-use=%t/profile -O1 %s %liballoc -Wl,--thinlto-memprof-summary -o %t/optimized-host 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: env THERMOCLINE_ALLOC_STATS=1 %t/optimized-host 2>&1 > %t/answers-optimized-host | %FileCheck %s --check-prefix=HEAP
// RUN: cmp %t/answers %t/answers-optimized-host
//
// OWN: 250.0 KiB of the profile's cold 250.0 KiB (100.0 %) is hinted, with 0 clones{{$}}
// OTHER: 250.0 KiB of the profile's cold 250.0 KiB (100.0 %) is hinted, with 0 clones; profiled on aarch64{{$}}
//
// A profile of both is everybody's own.
// RUN: %thermo-profdata merge %t/profile-host %t/profile -o %t/profile-both
// RUN: %thermo-profdata show %t/profile-both | %FileCheck %s --check-prefix=BOTH
// RUN: %thermo-profdata export %t/profile | %FileCheck %s --check-prefix=EXPORT
// RUN: %clangxx --config=%use-cfg -fmemory-profile-use=%t/profile-both -O1 %s %liballoc -Wl,--thinlto-memprof-summary -o %t/optimized-both 2>&1 | %FileCheck %s --check-prefix=BOTHS
// BOTHS: 500.0 KiB of the profile's cold 500.0 KiB (100.0 %) is hinted, with 0 clones{{$}}
// So with regular LTO, and in the line of what was found.
// RUN: mkdir %t/new && sed 's/  Node \*List = nullptr;/\n&/' %s > %t/new/pipeline.cpp
// RUN: %clangxx --config=%use-cfg -flto=full -fmemory-profile-use=%t/profile -O1 %t/new/pipeline.cpp %liballoc -o %t/edited 2>&1 | %FileCheck %s --check-prefix=FOUND
// BOTH: Architecture:   aarch64 and x86_64
// EXPORT: "architectures": [
// EXPORT-NEXT: "aarch64"
// EXPORT-NEXT: ],
// FOUND: in source edited since, 0.0 % is lost; profiled on aarch64{{$}}
//
// HEAP: kind=new calls=4000 bytes=256000 cold_calls=4000 cold_bytes=256000
// HEAP: kind=total calls=4000 bytes=256000 cold_calls=4000 cold_bytes=256000

#include <cstdio>

extern "C" __attribute__((weak)) bool
__thermocline_pass_time(unsigned long Microseconds);

struct Node {
  Node *Next;
  long Values[7];
};

static Node *make(long Number, Node *Next) {
  auto *New = new Node;
  New->Next = Next;
  New->Values[0] = Number;
  return New;
}

static Node *makeCold(long Count) {
  Node *List = nullptr;
  for (long I = 0; I != Count; ++I)
    List = make(I, List);
  return List;
}

static Node *makeHot(long Count) {
  Node *List = nullptr;
  for (long I = 0; I != Count; ++I)
    List = make(I, List);
  return List;
}

int main() {
  Node *Cold = makeCold(4000);
  Node *Hot = makeHot(4000);
  long Sum = 0;
  for (int Round = 0; Round != 300; ++Round) {
    for (const Node *N = Hot; N; N = N->Next)
      Sum += N->Values[0] + Round;
    if (__thermocline_pass_time)
      __thermocline_pass_time(1000);
  }
  for (const Node *N = Cold; N; N = N->Next)
    Sum -= N->Values[0];
  std::printf("%ld\n", Sum);
}
