// Two allocations of one function are told apart by their places, and what was
// inlined everywhere is found by its name.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s heap.prof
// RUN: %clangxx -c -O2 -flto=thin -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=heap.prof %s -o main.o
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Wl,--thinlto-memprof-profile=heap.prof \
// RUN:   -Wl,--thinlto-memprof-report=report.json -Wl,--thinlto-memprof-decisions=link.txt -Wl,--thinlto-emit-index-files
// RUN: %FileCheck %s --check-prefix=JSON < report.json
// RUN: %thermo-lto audit --all --profile=heap.prof main.o.thinlto.bc | %FileCheck %s --check-prefix=AUDIT
// RUN: %thermo-lto audit --format=html --profile=heap.prof main.o.thinlto.bc | %FileCheck %s --check-prefix=HTML
// RUN: %thermo-lto decisions --profile=heap.prof main.o.thinlto.bc > audit.txt
// RUN: %FileCheck %s --check-prefix=DECISIONS < audit.txt
// RUN: %thermo-lto decisions --profile=heap.prof --format=json main.o.thinlto.bc | %FileCheck %s --check-prefix=DECISIONS-JSON
// RUN: %thermo-lto explain --profile=heap.prof fresh main.o.thinlto.bc | %FileCheck %s --check-prefix=EXPLAIN
// RUN: %thermo-lto explain --profile=heap.prof two:1 main.o.thinlto.bc | %FileCheck %s --check-prefix=LINE
// RUN: %not %thermo-lto explain --profile=heap.prof fersh main.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=NEAR

// The link and what reads it later list the same, but for who decided.
// RUN: sed 1d link.txt > link.rest && sed 1d audit.txt > audit.rest && cmp link.rest audit.rest
// RUN: %clangxx -c -O2 -flto=full -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=heap.prof %s -o full.o
// RUN: %thermo-lto decisions --profile=heap.prof full.o | %FileCheck %s --check-prefix=DECISIONS

// Without a profile nothing is known of places.
// RUN: %thermo-lto decisions main.o.thinlto.bc | %FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: {{ at }}

// A link reads them from the code that it compiles, whatever else it writes.
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o alone -Wl,--thinlto-memprof-decisions=alone.txt
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o beside -Wl,--thinlto-memprof-decisions=beside.txt \
// RUN:   -Wl,--thinlto-memprof-report=beside.json
// RUN: grep -q ' at ' alone.txt && cmp alone.txt beside.txt

// JSON:      "owner": "two(bool)"
// JSON-NEXT: "place": [
// JSON:        "function": "fresh()"
// JSON-NEXT:   "lineOffset": 0
// JSON-NEXT:   "column": 62
// JSON:        "function": "two(bool)"
// JSON-NEXT:   "lineOffset": 1

// AUDIT:      hinted cold, 2.0 KiB
// AUDIT-NEXT:   allocated in two(bool), at fresh() +0:62, inlined into two(bool) +1:20
// AUDIT-NEXT:   main +1:
// AUDIT:      not cold, 1000 B
// AUDIT-NEXT:   allocated in two(bool), at two(bool) +3:10

// HTML-DAG: "fresh()"
// HTML-DAG: "+0:62"
// HTML-DAG: "two(bool)"

// DECISIONS:      allocation 0, versions (cold), contexts 1, bytes 2000,
// DECISIONS-NEXT:   at fresh() +0:62
// DECISIONS-NEXT:   at two(bool) +1:20
// DECISIONS-NEXT: allocation 1, versions (notcold), contexts 1, bytes 1000,
// DECISIONS-NEXT:   at two(bool) +3:10

// DECISIONS-JSON:      "allocations": [
// DECISIONS-JSON-NEXT:   {
// DECISIONS-JSON-NEXT:     "record": 0
// DECISIONS-JSON-NEXT:     "frames": [
// DECISIONS-JSON-NEXT:       {
// DECISIONS-JSON-NEXT:         "function": "fresh()"

// EXPLAIN:     allocation _Z3twob#0, at fresh() +0:62, inlined into two(bool) +1:20
// EXPLAIN:       in version 0 (the original): hinted cold
// EXPLAIN-NOT: allocation

// LINE:     allocation _Z3twob#0
// LINE-NOT: allocation

// NEAR: no function with a profile in the link matches 'fersh'; near are: fresh()

// PROFILE: cold    2000: _Z5freshv+0:62 i< _Z3twob+1:20 < main+1:13
// PROFILE: notcold 1000: _Z3twob+3:10 < main+2:13

// clang-format off
inline __attribute__((always_inline)) char *fresh() { return new char[2000]; }
__attribute__((noinline)) char *two(bool Cold) {
  if (Cold) return fresh();
  asm volatile("");
  return new char[1000];
}
int main() {
  char *A = two(true);
  char *B = two(false);
  return A[1] + B[2];
}
