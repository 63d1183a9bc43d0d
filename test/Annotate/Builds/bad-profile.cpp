// An unreadable profile is one error of the compilation; one without a heap
// profile, and none at all, are warnings.

// RUN: %not %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.none %s -o %t.none.ll 2>&1 | %FileCheck %s --check-prefix=ABSENT
// RUN: echo garbage > %t.garbage
// RUN: %not %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.garbage %s -o %t.garbage.ll 2>&1 | %FileCheck %s --check-prefix=GARBAGE
// RUN: %profile %s %t.prof
// RUN: head -c 300 %t.prof > %t.cut
// RUN: %not %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.cut %s -o %t.cut.ll 2>&1 | %FileCheck %s --check-prefix=CUT
// RUN: %not test -e %t.cut.ll

// clang's own reader has complained before; it is not said twice.
// RUN: %not %clangxx -O2 %annotate -fmemory-profile-use=%t.garbage %s -o %t.twice.ll 2>&1 | grep -c error: | %FileCheck %s --check-prefix=ONCE

// A raw one is said to be that, whoever complains first.
// RUN: printf '\201rforpm\377%%01000d' 0 > %t.raw
// RUN: %not %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.raw %s -o %t.raw.ll 2>&1 | %FileCheck %s --check-prefix=RAW
// RUN: %not %clangxx -O2 %annotate -fmemory-profile-use=%t.raw %s -o %t.raw.ll 2>&1 | %FileCheck %s --check-prefix=RAW

// RUN: echo main > %t.proftext && echo 1 >> %t.proftext && echo 1 >> %t.proftext && echo 7 >> %t.proftext
// RUN: %llvm-profdata merge %t.proftext -o %t.pgo
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-profile=%t.pgo %s -o %t.pgo.ll 2>&1 | %FileCheck %s --check-prefix=PGO
// RUN: %clangxx -O2 %annotate %s -o %t.without.ll 2>&1 | %FileCheck %s --check-prefix=WITHOUT
// RUN: %not %clangxx -O2 %annotate -fmemory-profile-use=%t.prof -mllvm -thermocline-cold-min-lifetime=7 %s -o %t.7.ll 2>&1 | %FileCheck %s --check-prefix=THRESHOLD

// PROFILE: cold 2000: main+0:10

int main() { return 0; }

// ABSENT: error: thermocline: {{.*}}.none: {{.*}}
// ABSENT-NOT: error:
// GARBAGE: error: thermocline: {{.*}}.garbage: {{.*}}
// GARBAGE-NOT: error:
// CUT: error: thermocline: {{.*}}.cut: {{.*}}
// RAW: {{error|note}}: thermocline: {{.*}}.raw: is a raw memory profile; merge it first (thermo-profdata merge --binary=PROGRAM)
// ONCE: {{^}}1{{$}}
// PGO: warning: thermocline: {{.*}}.pgo: no heap profile in it, so no allocation is annotated
// PGO-NOT: warning:
// WITHOUT: warning: thermocline: -thermocline-use has no profile; give one with -fmemory-profile-use=, -fprofile-use= or -thermocline-profile=
// THRESHOLD: error: thermocline: {{.*}}cold-min-lifetime
