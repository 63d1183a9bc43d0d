// At every level of optimization each context is attached and each call that is
// left of it is a callsite. The output is the same on every run.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O0 %annotate -mllvm -thermocline-use-at-O0 -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.0.ll 2>&1 | %FileCheck %s
// Without optimization only if asked for, by the whole module or by one function.
// RUN: %clangxx -O0 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.off.ll 2>&1 | %FileCheck %s --check-prefixes=ZERO,OFF
// RUN: %not grep -E '!(memprof|callsite)' %t.off.ll
// RUN: %clangxx -O1 -DOPTNONE=__attribute__\(\(optnone\)\) %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.one.ll 2>&1 | %FileCheck %s --check-prefix=OFF
// RUN: %clangxx -O1 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.1.ll 2>&1 | %FileCheck %s
// RUN: %clangxx -O2 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.2.ll 2>&1 | %FileCheck %s
// RUN: %clangxx -O3 %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.3.ll 2>&1 | %FileCheck %s
// RUN: %clangxx -Os %annotate -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.s.ll 2>&1 | %FileCheck %s
// RUN: %clangxx -O3 %annotate -fmemory-profile-use=%t.prof %s -o - | diff %t.3.ll -
// RUN: %annotations --names %t.0.ll | %FileCheck %s --check-prefix=CALLS
// RUN: %annotations --names %t.3.ll | %FileCheck %s --check-prefix=INLINED

// PROFILE: cold    2000: _Z4leafj+0:33 < _Z6middlej+0:35 < _Z4coldv+0:23
// PROFILE: notcold 1000: _Z4leafj+0:33 < _Z6middlej+0:35 < _Z3hotv+0:22

// clang-format off
#ifndef OPTNONE
#define OPTNONE
#endif
OPTNONE char *leaf(unsigned N);
char *leaf(unsigned N) { return new char[N]; }
char *middle(unsigned N) { return leaf(N); }
char *hot() { return middle(10); }
char *cold() { return middle(20); }

// ZERO: warning: thermocline: {{.*}}.prof: no profiled function in {{.*}}every-level.cpp is optimized (-O0), so none gets a hint; compile with -O1 or more, or with -mllvm -thermocline-use-at-O0
// OFF-NOT: warning
// OFF: mismatched 0
// OFF: matched 0
// OFF: in functions that are not optimized 1
// OFF: attached 0

// CHECK: function not profiled 0
// CHECK: place not profiled 0
// CHECK: profiled with other callers 0
// CHECK: attached 2 2.9 KiB; cold: 1, 2.0 KiB

// CALLS:        _Z6middlej: @_Z4leafj
// CALLS-NEXT:     callsite _Z6middlej+0:35
// CALLS:        4 annotated calls

// INLINED:      _Z3hotv: @_Znam at _Z4leafj+0:33 < _Z6middlej+0:35 < _Z3hotv+0:22
// INLINED-NEXT:   notcold _Z4leafj+0:33 < _Z6middlej+0:35 < _Z3hotv+0:22 (1000)
// INLINED-NEXT:   callsite _Z4leafj+0:33 < _Z6middlej+0:35 < _Z3hotv+0:22
// INLINED:      _Z4coldv: @_Znam at _Z4leafj+0:33 < _Z6middlej+0:35 < _Z4coldv+0:23
// INLINED-NEXT:   cold _Z4leafj+0:33 < _Z6middlej+0:35 < _Z4coldv+0:23 (2000)
