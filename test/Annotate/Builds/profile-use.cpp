// The heap profile is taken from the file of -fprofile-use= too, beside PGO's
// counters; -fmemory-profile-use= goes before it, and our own option before both.

// RUN: %profile %s %t.heap
// RUN: printf ':ir\nmain\n742261418966908927\n1\n1\n' > %t.proftext
// RUN: %llvm-profdata merge %t.heap.yaml %t.proftext -o %t.both
// RUN: %llvm-profdata merge %t.proftext -o %t.pgo

// RUN: %clangxx -O1 %annotate -fprofile-use=%t.both %s -o %t.both.ll
// RUN: grep -q '@_Znam.*!memprof' %t.both.ll
// RUN: grep -q 'define.*@main.*!prof' %t.both.ll
// RUN: %clangxx -O1 %annotate -fprofile-use=%t.pgo %s -o %t.pgo.ll 2>&1 | %FileCheck %s
// RUN: %not grep -q '!memprof' %t.pgo.ll
// RUN: %clangxx -O1 %annotate -fprofile-use=%t.pgo -fmemory-profile-use=%t.heap %s -o %t.two.ll
// RUN: grep -q '@_Znam.*!memprof' %t.two.ll
// RUN: %clangxx -O1 %annotate -fprofile-use=%t.pgo -mllvm -thermocline-profile=%t.heap %s -o %t.own.ll
// RUN: grep -q '@_Znam.*!memprof' %t.own.ll

// PROFILE: cold 2000: _Z4leafj+0:33 < main+0:21

// clang-format off
char *leaf(unsigned N) { return new char[N]; }
int main() { return 0; }

// CHECK: warning: thermocline: {{.*}}.pgo: no heap profile in it
