// The preloaded library profiles programs that are not instrumented: contexts,
// sizes and lifetimes. They work as ever; and as nobody counts accesses,
// nothing is ever cold, for stock tools as well.
// RUN: rm -rf %t && mkdir %t && cd %t
//
// Programs as they are installed: same output, same status.
// RUN: %S/Inputs/check_preload.sh %preload %thermo-profdata > said && %FileCheck %s --input-file=said --check-prefix=INSTALLED
// INSTALLED: ls: same output, status 0, profiles read
// INSTALLED: failing ls: same output, status 2, profiles read
// INSTALLED: sort with threads: same output, status 0, profiles read
// INSTALLED: shell with pipes and subshells: same output, status 3, profiles read
// INSTALLED: python with threads, fork and exec: same output, status 0, profiles read
// INSTALLED: killed while continuous: same output, status 137, profiles read
//
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -Wl,--build-id %s -o program
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=raw ./program
// RUN: %thermo-profdata show --all --binary=program --library=%preload raw.* | %FileCheck %s --check-prefix=SHOW
// SHOW: Accesses: not counted
// SHOW: 1000 B in 10 allocations, lifetime
// SHOW-NOT: accesses per byte
// SHOW-NEXT: {{^}} allocateKept (program)
// SHOW-NEXT: {{^}} main (program)
// SHOW-NEXT: {{[0-9a-f]+ \+ 0x[0-9a-f]+$}}
//
// Sampled, too.
// RUN: env LD_PRELOAD=%preload MEMPROF_OPTIONS=log_path=sampled:sample=3 ./program
// RUN: %thermo-profdata show --all --binary=program sampled.* | %FileCheck %s --check-prefix=SAMPLED
// SAMPLED: Sampled: 1 of 3 allocations of a place
// SAMPLED: Accesses: not counted
// SAMPLED: allocations, lifetime
// SAMPLED-NEXT: {{^}} +- {{[0-9]+}} allocations
//
// RUN: %thermo-profdata merge --binary=program -o prof raw.* | %FileCheck %s --check-prefix=MERGE
// MERGE: cold: 0 contexts, 0 B (0.0 % of bytes), as accesses were not counted
// RUN: %thermo-profdata merge --binary=program --memprof-hot-cold-schema -o small raw.* && %thermo-profdata merge -o again prof small --quiet
// RUN: for f in prof small again; do %thermo-profdata show --cold-min-lifetime=0 --cold-accesses=1e18 --cold $f; done | %FileCheck %s --check-prefix=COLD
// COLD-COUNT-3: Cold contexts: 0 (0.0 %)
// COLD: Cold means: nothing, as accesses were not counted
//
// Profiles with accesses and without are not added up, in either order, if that
// loses what the former say.
// RUN: %clang --config=%generate-cfg -O2 %s -o counted && env MEMPROF_OPTIONS=log_path=counted.raw ./counted
// RUN: %thermo-profdata merge --quiet --binary=counted -o counted.prof counted.raw.*
// RUN: %not %thermo-profdata merge -o mixed prof counted.prof 2>&1 | %FileCheck %s --check-prefix=MIXED
// RUN: %not %thermo-profdata merge -o mixed counted.prof prof 2>&1 | %FileCheck %s --check-prefix=MIXED
// MIXED: error: mixed: prof has no accesses (libthermocline_preload.so wrote it), and counted.prof has counted accesses; together nothing would be cold, as no run is long enough to say when memory was touched; merge them apart
//
// Neither our annotation nor LLVM's finds anything cold, whatever the
// thresholds.
// RUN: %clang -O2 -gmlt -fdebug-info-for-profiling -S -emit-llvm -o ours.ll %s -fpass-plugin=%plugin -Xclang -mllvm -Xclang -thermocline-use -Xclang -mllvm -Xclang -thermocline-cold-min-lifetime=0 -fmemory-profile-use=prof
// RUN: %llvm-profdata merge --profiled-binary=program raw.* -o stock
// RUN: for f in prof stock; do %clang -O2 -gmlt -fdebug-info-for-profiling -S -emit-llvm -o $f.ll %s -x c++ -fmemory-profile-use=$f -mllvm -memprof-ave-lifetime-cold-threshold=0 -mllvm -memprof-use-hot-hints; done
// RUN: cat ours.ll prof.ll stock.ll | %FileCheck %s --check-prefix=IR
// IR-NOT: {{"(cold|hot)"}}

#include <stdlib.h>

__attribute__((noinline)) static char *allocateKept(void) {
  char *Result = (char *)malloc(100);
  __asm__ volatile("" : "+r"(Result)); // No tail call.
  return Result;
}

static char *volatile Kept[10];

int main(void) {
#pragma clang loop unroll(disable)
  for (int I = 0; I < 10; ++I)
    Kept[I] = allocateKept();
  return 0;
}
