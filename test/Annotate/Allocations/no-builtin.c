// With -fno-builtin, malloc may be anything; it is left alone and counted.

// RUN: %profile %s %t.prof
// RUN: %clang -O2 %annotate -fno-builtin -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.all.ll 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %not grep -q '!memprof' %t.all.ll
// RUN: %clang -O2 %annotate -fno-builtin-malloc -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.malloc.ll 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: %not grep -q '!memprof' %t.malloc.ll
// RUN: %clang -O2 %annotate -fno-builtin-calloc -mllvm -thermocline-use-stats -fmemory-profile-use=%t.prof %s -o %t.calloc.ll 2>&1 | %FileCheck %s --check-prefix=OTHER
// RUN: grep -q '!memprof' %t.calloc.ll

// PROFILE: cold 2000: make+0:33 < main+0:21

// clang-format off
void *malloc(unsigned long);
void *make(unsigned N) { return malloc(N); }

// NONE:      allocation calls 1
// NONE-NEXT: matched 0
// NONE:      nobuiltin 1
// NONE:      attached 0
// NONE:      allocation not hintable 1 2.0 KiB; cold: 1, 2.0 KiB
// OTHER:     matched 1
// OTHER:     nobuiltin 0
