// Without -flto the annotation would be of no use to anybody: one warning, and
// nothing in the object.

// RUN: %profile %s %t.prof
// RUN: %clangxx -O2 -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %not grep -q '!memprof' %t.ll
// RUN: %clangxx -O2 -flto -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof -S -emit-llvm %s -o %t.lto.ll
// RUN: grep -q '!memprof' %t.lto.ll

// With native code and bitcode in one object there is no warning.
// RUN: %clangxx -O2 -flto=thin -ffat-lto-objects -Werror -gmlt -fdebug-info-for-profiling -fpass-plugin=%plugin -mllvm -thermocline-use -fmemory-profile-use=%t.prof -c %s -o %t.fat.o

// PROFILE: cold 2000: _Z4leafj+0:33 < main+0:21

// clang-format off
char *leaf(unsigned N) { return new char[N]; }

// CHECK: warning: thermocline: -thermocline-use does nothing without link-time optimization; compile with -flto=thin
// CHECK-NOT: warning: thermocline
