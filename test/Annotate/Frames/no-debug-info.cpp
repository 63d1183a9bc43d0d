// Without debug information nothing can match; a plain warning says so.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 -flto=thin -c -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof %s -o %t.o 2>&1 | %FileCheck %s

// Linkage names are missing with -gmlt alone; functions that were not inlined
// are found by their own names.
// RUN: %clangxx -O2 -flto=thin -S -emit-llvm -gmlt -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof %s -o %t.ll 2>&1 | %FileCheck %s --check-prefix=NAMES
// RUN: grep -q '!memprof' %t.ll

// PROFILE: cold 2000: _Z4leafj+0:33 < main+0:21

// clang-format off
char *leaf(unsigned N) { return new char[N]; }
int main() { return leaf(3)[1]; }

// CHECK: warning: thermocline: no function has debug information, so the heap profile matches nothing; compile with -gmlt -fdebug-info-for-profiling
// CHECK-NOT: warning: thermocline
// NAMES: warning: thermocline: 1 function without a linkage name in the debug information, so the heap profile matches in part; compile with -fdebug-info-for-profiling
