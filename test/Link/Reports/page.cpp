// The page of a link: its figures, what became of contexts, what was measured, and
// names and lines from the modules alone.

// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: python3 %S/../../Annotate/Inputs/profile.py %llvm-profdata %s heap.prof
// RUN: %clangxx -c -O2 -flto=thin -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use \
// RUN:   -fmemory-profile-use=heap.prof %s -o main.o
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Wl,--thinlto-memprof-profile=heap.prof \
// RUN:   -Wl,--thinlto-memprof-report=report.html -Wl,--thinlto-emit-index-files
// RUN: %thermo-lto audit --format=json --profile=heap.prof -o report.json main.o.thinlto.bc
// RUN: %thermo-lto audit --profile=heap.prof -o report.csv main.o.thinlto.bc && python3 %S/Inputs/same_contexts.py report.csv report.json
// RUN: %clangxx --ld-path=%ld.lld -flto=thin main.o %libhints -o program -Wl,--thinlto-memprof-profile=heap.prof \
// RUN:   -Wl,--thinlto-memprof-report=linked.csv && python3 %S/Inputs/same_contexts.py linked.csv report.json
// RUN: echo 'thermocline-alloc: pid=7 kind=total calls=1234 bytes=5120 cold_calls=1000 cold_bytes=4096' > stats
// RUN: %thermo-lto report --profile=heap.prof --measured=stats --measured-pages=19.0MiB,8.5MiB -o page.html main.o.thinlto.bc
// RUN: %FileCheck %s < page.html
// RUN: %FileCheck %s --check-prefix=BOTH < page.html
// RUN: %FileCheck %s --check-prefix=BOTH < report.html
// RUN: %thermo-lto audit --format=html --profile=heap.prof main.o.thinlto.bc | %FileCheck %s --check-prefix=BOTH
// RUN: node %S/Inputs/link_page.mjs page.html report.json | %FileCheck %s --check-prefix=PAGE

// CHECK:      Measured: 19.0 MiB of pages touched without hints, and 8.5 MiB with them, 44.7 % of it.
// CHECK:      <td>stats</td><td class="number">1,234</td>

// BOTH: <p class="lead">2.0 KiB of 2.9 KiB that are cold are allocated with a hint: 66.7 %.</p>
// BOTH: <td>cold -&gt; cold</td><td class="number">1</td><td class="number">2.0 KiB</td>

// PAGE:      sums are those of the report
// PAGE-NEXT: graph: all contexts, main
// PAGE-NEXT: lost only: {{.*}} lost: function not found in the link
// PAGE-NEXT: figures: true

// Without the profile, frames have their names from the modules.
// RUN: %thermo-lto report -o alone.html main.o.thinlto.bc
// RUN: node %S/Inputs/link_page.mjs alone.html | %FileCheck %s --check-prefix=ALONE
// ALONE: context: two(bool) < main page.cpp:[[#]]
// ALONE: context: two(bool) < main page.cpp:[[#]]

// A wrong option is an error, and nothing is written.
// RUN: %not %thermo-lto report --measured=heap.prof -o none main.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=NO-STATS
// NO-STATS: error: heap.prof: has no totals of hinted calls
// RUN: %not %thermo-lto report --measured=stats -o stats main.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=ONTO
// ONTO: error: {{.*}}stats
// RUN: %thermo-lto report --profile=heap.prof --source-url=https://host/{file}#{line} main.o.thinlto.bc | %FileCheck %s --check-prefix=LINKS
// LINKS: "sources":{{\[\[}}"","https://host/{file}#{line}"]],
// RUN: %not %thermo-lto report --source-url=https://host/ -o none main.o.thinlto.bc 2>&1 | %FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: --source-url: 'https://host/' has no {file}
// RUN: test ! -e none

// PROFILE: cold    2000: _Z5freshv+0:62 i< _Z3twob+1:20 < main+1:13
// PROFILE: notcold 1000: _Z3twob+3:10 < main+2:13
// PROFILE: cold    1000: _Z4gonev+1:3 < main+9:1

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
